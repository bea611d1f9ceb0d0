package dev.twophase.benchmarks.file;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Turns numbers into records, and notes how many of them were visible when. In one chain with the
 * sink, it sees exactly the records the sink sees between two checkpoints, and hears of a completed
 * checkpoint after the sink has published its files, because a chain is notified from its tail.
 *
 * <p>Only what is published while records still flow counts: after the end of input Flink waits up
 * to a checkpoint interval for the last checkpoint, which says nothing about a sink.
 */
final class VisibleRate extends RichMapFunction<Long, String>
    implements CheckpointedFunction, CheckpointListener {

  static final String RECORDS = "visible-records";
  static final String NANOS = "visible-nanos";
  static final String ALL_NANOS = "all-nanos";

  private static final long serialVersionUID = 1L;

  private final String[] records;
  private final long total;

  private transient LongCounter visible;
  private transient LongCounter nanos;
  private transient LongCounter allNanos;
  private transient long first;
  private transient long passed;
  private transient long passedAtSnapshot;

  @SuppressWarnings("NullAway.Init") // set in open
  VisibleRate(String[] records, long total) {
    this.records = records;
    this.total = total;
  }

  @Override
  public void open(OpenContext context) {
    visible = new LongCounter();
    nanos = new LongCounter();
    allNanos = new LongCounter();
    getRuntimeContext().addAccumulator(RECORDS, visible);
    getRuntimeContext().addAccumulator(NANOS, nanos);
    getRuntimeContext().addAccumulator(ALL_NANOS, allNanos);
  }

  @Override
  public String map(Long number) {
    if (passed == 0) {
      first = System.nanoTime();
    }
    if (++passed == total) {
      allNanos.add(System.nanoTime() - first);
    }
    return Records.pick(records, number);
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {}

  @Override
  public void snapshotState(FunctionSnapshotContext context) {
    passedAtSnapshot = passed;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    boolean only = visible.getLocalValuePrimitive() == 0;
    if (passedAtSnapshot > 0 && (only || passedAtSnapshot < total)) {
      set(visible, passedAtSnapshot);
      set(nanos, System.nanoTime() - first);
    }
  }

  private static void set(LongCounter counter, long value) {
    counter.resetLocal();
    counter.add(value);
  }
}
