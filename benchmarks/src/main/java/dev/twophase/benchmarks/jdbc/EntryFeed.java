package dev.twophase.benchmarks.jdbc;

import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/** Turns numbers into rows, and notes how many had passed at each barrier, and when. */
final class EntryFeed extends RichMapFunction<Long, Entry> implements CheckpointedFunction {

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
  private transient long passed;

  @SuppressWarnings("NullAway.Init") // set in open
  EntryFeed(long total) {
    this.total = total;
  }

  @Override
  public void open(OpenContext context) {
    firstAt = new LongCounter();
    lastAt = new LongCounter();
    passages = new ListAccumulator<>();
    getRuntimeContext().addAccumulator(FIRST_AT, firstAt);
    getRuntimeContext().addAccumulator(LAST_AT, lastAt);
    getRuntimeContext().addAccumulator(PASSAGES, passages);
  }

  @Override
  public Entry map(Long number) {
    if (passed == 0) {
      firstAt.add(System.nanoTime());
    }
    if (++passed == total) {
      lastAt.add(System.nanoTime());
    }
    return Entry.of(number);
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {}

  @Override
  public void snapshotState(FunctionSnapshotContext context) {
    if (passed > 0 && passed < total) {
      passages.add(passed);
      passages.add(System.nanoTime());
    }
  }
}
