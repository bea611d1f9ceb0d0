package dev.twophase.benchmarks.job;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.util.function.SerializableFunction;

/**
 * Turns numbers into records, and notes how many of them were visible when. In one chain with the
 * sink, it sees exactly the records the sink sees between two checkpoints, and hears of a completed
 * checkpoint after the sink has published its files, because a chain is notified from its tail.
 *
 * <p>Only what is published while records still flow counts: after the end of input Flink waits up
 * to a checkpoint interval for the last checkpoint, which says nothing about a sink.
 *
 * @param <T> type of the records
 */
public final class VisibleRate<T> extends RichMapFunction<Long, T>
    implements CheckpointedFunction, CheckpointListener {

  /** Accumulator: how many were visible. */
  public static final String RECORDS = "visible-records";

  /** Accumulator: after how long they were. */
  public static final String NANOS = "visible-nanos";

  /** Accumulator: how long all of them took to pass. */
  public static final String ALL_NANOS = "all-nanos";

  /** Accumulator: what this process needed for that of its processors. */
  public static final String ALL_CPU_NANOS = "all-cpu-nanos";

  private static final long serialVersionUID = 1L;

  private final SerializableFunction<Long, T> toRecord;
  private final long total;

  private transient LongCounter visible;
  private transient LongCounter nanos;
  private transient LongCounter allNanos;
  private transient LongCounter allCpuNanos;
  private transient long first;
  private transient long firstCpu;
  private transient long passed;
  private transient long passedAtSnapshot;

  @SuppressWarnings("NullAway.Init") // set in open
  public VisibleRate(SerializableFunction<Long, T> toRecord, long total) {
    this.toRecord = toRecord;
    this.total = total;
  }

  @Override
  public void open(OpenContext context) {
    visible = new LongCounter();
    nanos = new LongCounter();
    allNanos = new LongCounter();
    allCpuNanos = new LongCounter();
    getRuntimeContext().addAccumulator(RECORDS, visible);
    getRuntimeContext().addAccumulator(NANOS, nanos);
    getRuntimeContext().addAccumulator(ALL_NANOS, allNanos);
    getRuntimeContext().addAccumulator(ALL_CPU_NANOS, allCpuNanos);
  }

  @Override
  public T map(Long number) {
    if (passed == 0) {
      first = System.nanoTime();
      firstCpu = cpu();
    }
    if (++passed == total) {
      allNanos.add(System.nanoTime() - first);
      allCpuNanos.add(cpu() - firstCpu);
    }
    return toRecord.apply(number);
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

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void set(LongCounter counter, long value) {
    counter.resetLocal();
    counter.add(value);
  }
}
