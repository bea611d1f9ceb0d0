package dev.twophase.examples.kafka;

import dev.twophase.examples.lines.Pace;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/** Follows how far checkpoints have come in the input. Run it with parallelism 1. */
final class PositionWatch extends RichMapFunction<String, String>
    implements CheckpointedFunction, CheckpointListener {

  private static final long serialVersionUID = 1L;

  private final Pace.Lookup lookup;

  @SuppressWarnings("NullAway.Init")
  private transient Pace pace;

  @SuppressWarnings("NullAway.Init")
  private transient NavigableMap<Long, Long> positions;

  private transient long next;

  PositionWatch(Pace.Lookup lookup) {
    this.lookup = lookup;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {
    positions = new TreeMap<>();
  }

  @Override
  public void open(OpenContext context) {
    pace = lookup.get();
  }

  @Override
  public String map(String record) {
    next = CountJob.position(record) + 1;
    return record;
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) {
    positions.put(context.getCheckpointId(), next);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    Long position = positions.get(checkpointId);
    positions.headMap(checkpointId, true).clear();
    if (position != null) {
      pace.checkpointed(checkpointId, position);
    }
  }
}
