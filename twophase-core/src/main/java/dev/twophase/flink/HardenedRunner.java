package dev.twophase.flink;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * What Flink runs in place of a {@link HardenedTwoPhaseCommitSinkFunction}. The base class's {@code
 * notifyCheckpointComplete} is final and calls {@code commit}, which the user's class overrides, so
 * nothing in between can order, retry or stop commits. This passes everything through but that one
 * call. It becomes the function when Flink deserializes the user's.
 */
final class HardenedRunner<IN> extends FlinkSinkFunction<IN>
    implements CheckpointedFunction, CheckpointListener {

  private static final long serialVersionUID = 1L;

  private final HardenedTwoPhaseCommitSinkFunction<IN, ?, ?> function;

  HardenedRunner(HardenedTwoPhaseCommitSinkFunction<IN, ?, ?> function) {
    this.function = function;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    function.commitUpTo(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) {
    function.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void setRuntimeContext(RuntimeContext context) {
    super.setRuntimeContext(context);
    function.setRuntimeContext(context);
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    function.initializeState(context);
  }

  @Override
  public void open(OpenContext context) throws Exception {
    function.open(context);
  }

  @Override
  public void invoke(IN value, Context context) throws Exception {
    function.invoke(value, context);
  }

  @Override
  public void writeWatermark(Watermark watermark) throws Exception {
    function.writeWatermark(watermark);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    function.snapshotState(context);
  }

  @Override
  public void finish() throws Exception {
    function.finish();
  }

  @Override
  public void close() throws Exception {
    function.close();
  }

  /** The user's function alone is serialized, and turns into a runner again when it arrives. */
  Object writeReplace() {
    return function;
  }
}
