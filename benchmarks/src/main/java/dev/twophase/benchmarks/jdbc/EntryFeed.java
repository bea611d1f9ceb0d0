package dev.twophase.benchmarks.jdbc;

import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Turns numbers into rows, and notes how many had passed at each barrier, and when: before the sink
 * behind it, in one chain, does anything for the barrier, which a function would hear of
 * afterwards.
 */
final class EntryFeed extends AbstractStreamOperator<Entry>
    implements OneInputStreamOperator<Long, Entry> {

  /** Accumulator: when the first row passed, as {@link System#nanoTime}. */
  static final String FIRST_AT = "first-at";

  /** Accumulator: when the last row passed. */
  static final String LAST_AT = "last-at";

  /** Accumulator: of each barrier, the rows before it, and then when it came. */
  static final String PASSAGES = "passages";

  private static final long serialVersionUID = 1L;

  private final long total;

  private transient LongCounter firstAt;
  private transient LongCounter lastAt;
  private transient ListAccumulator<Long> passages;
  private transient StreamRecord<Entry> reused;
  private transient long passed;

  @SuppressWarnings("NullAway.Init") // set in open
  private EntryFeed(long total) {
    this.total = total;
  }

  /** So many rows, in one task with what follows. */
  static DataStream<Entry> rows(StreamExecutionEnvironment environment, long count) {
    return environment
        .fromSequence(0, count - 1)
        .transform("feed", TypeInformation.of(Entry.class), new EntryFeed(count));
  }

  @Override
  public void open() throws Exception {
    super.open();
    firstAt = new LongCounter();
    lastAt = new LongCounter();
    passages = new ListAccumulator<>();
    reused = new StreamRecord<>(Entry.of(0));
    getRuntimeContext().addAccumulator(FIRST_AT, firstAt);
    getRuntimeContext().addAccumulator(LAST_AT, lastAt);
    getRuntimeContext().addAccumulator(PASSAGES, passages);
  }

  @Override
  public void processElement(StreamRecord<Long> number) {
    if (passed == 0) {
      firstAt.add(System.nanoTime());
    }
    if (++passed == total) {
      lastAt.add(System.nanoTime());
    }
    output.collect(reused.replace(Entry.of(number.getValue())));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    if (passed > 0 && passed < total) {
      passages.add(passed);
      passages.add(System.nanoTime());
    }
  }
}
