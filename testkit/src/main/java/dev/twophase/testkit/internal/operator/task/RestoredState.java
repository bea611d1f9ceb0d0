package dev.twophase.testkit.internal.operator.task;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.CheckpointMetaData;
import org.apache.flink.runtime.checkpoint.CheckpointMetrics;
import org.apache.flink.runtime.checkpoint.InflightDataRescalingDescriptor;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.PrioritizedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SubTaskInitializationMetrics;
import org.apache.flink.runtime.checkpoint.TaskStateSnapshot;
import org.apache.flink.runtime.checkpoint.channel.SequentialChannelStateReader;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandle;
import org.apache.flink.runtime.state.changelog.StateChangelogStorage;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageView;
import org.jspecify.annotations.Nullable;

/** What one attempt of a task finds when it asks for its state. */
public final class RestoredState implements TaskStateManager {

  private final OptionalLong checkpoint;
  private final Map<OperatorID, OperatorSubtaskState> states;

  /**
   * @param checkpoint the restored checkpoint; empty at a start without state
   * @param states by operator; an operator may be missing
   */
  public RestoredState(OptionalLong checkpoint, Map<OperatorID, OperatorSubtaskState> states) {
    this.checkpoint = checkpoint;
    this.states = states;
  }

  @Override
  public Optional<Long> getRestoreCheckpointId() {
    return checkpoint.isPresent() ? Optional.of(checkpoint.getAsLong()) : Optional.empty();
  }

  @Override
  public PrioritizedOperatorSubtaskState prioritizedOperatorState(OperatorID operator) {
    if (checkpoint.isEmpty()) {
      return PrioritizedOperatorSubtaskState.emptyNotRestored();
    }
    OperatorSubtaskState state = states.get(operator);
    if (state == null) {
      return PrioritizedOperatorSubtaskState.empty(checkpoint.getAsLong());
    }
    return new PrioritizedOperatorSubtaskState.Builder(state, List.of(), checkpoint.getAsLong())
        .build();
  }

  @Override
  public Optional<OperatorSubtaskState> getSubtaskJobManagerRestoredState(OperatorID operator) {
    return Optional.ofNullable(states.get(operator));
  }

  @Override
  public boolean isTaskDeployedAsFinished() {
    return false;
  }

  @Override
  public InflightDataRescalingDescriptor getInputRescalingDescriptor() {
    return InflightDataRescalingDescriptor.NO_RESCALE;
  }

  @Override
  public InflightDataRescalingDescriptor getOutputRescalingDescriptor() {
    return InflightDataRescalingDescriptor.NO_RESCALE;
  }

  @Override
  public LocalRecoveryConfig createLocalRecoveryConfig() {
    return LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED;
  }

  @Override
  public SequentialChannelStateReader getSequentialChannelStateReader() {
    return SequentialChannelStateReader.NO_OP;
  }

  @Override
  public @Nullable StateChangelogStorage<?> getStateChangelogStorage() {
    return null;
  }

  @Override
  public @Nullable StateChangelogStorageView<?> getStateChangelogStorageView(
      Configuration configuration, ChangelogStateHandle handle) {
    return null;
  }

  @Override
  public @Nullable FileMergingSnapshotManager getFileMergingSnapshotManager() {
    return null;
  }

  @Override
  public void reportTaskStateSnapshots(
      CheckpointMetaData checkpoint,
      CheckpointMetrics metrics,
      @Nullable TaskStateSnapshot acknowledged,
      @Nullable TaskStateSnapshot local) {}

  @Override
  public void reportIncompleteTaskStateSnapshots(
      CheckpointMetaData checkpoint, CheckpointMetrics metrics) {}

  @Override
  public void reportInitializationMetrics(SubTaskInitializationMetrics metrics) {}

  @Override
  public void notifyCheckpointComplete(long checkpointId) {}

  @Override
  public void notifyCheckpointAborted(long checkpointId) {}

  @Override
  public void close() {}
}
