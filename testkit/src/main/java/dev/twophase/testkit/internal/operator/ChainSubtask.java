package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.operator.task.LeanTask;
import dev.twophase.testkit.internal.tier.Subtask;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one subtask of an expanded sink. The order of calls is the one of Flink's {@code
 * RegularOperatorChain}: the step before the barrier and the end of input go with the stream;
 * restore, snapshot, notifications and close go against it.
 */
final class ChainSubtask<IN> implements Subtask<SinkState> {

  private static final int MAX_STATE_BYTES = 64 << 20;

  private final LeanTask task;
  private final List<RunningNode> nodes;
  private final List<RunningNode> tailToHead;
  private final RoutingOutput entry;
  private final Function<TestRecord, IN> toInput;
  private final LongConsumer clock;

  ChainSubtask(
      LeanTask task,
      List<RunningNode> nodes,
      RoutingOutput entry,
      Function<TestRecord, IN> toInput,
      LongConsumer clock) {
    this.task = task;
    this.nodes = nodes;
    this.tailToHead = RunningNode.tailToHead(nodes);
    this.entry = entry;
    this.toInput = toInput;
    this.clock = clock;
  }

  /** Restores and opens all operators. */
  void open() throws Exception {
    task.execute(
        () -> {
          var initializer = task.stateInitializer();
          for (RunningNode node : tailToHead) {
            node.operator().initializeState(initializer);
            node.operator().open();
          }
        });
  }

  @Override
  public void input(TestRecord record) throws Exception {
    task.execute(() -> entry.feed(toInput.apply(record)));
  }

  @Override
  public SinkState snapshot(long checkpointId) throws Exception {
    return task.step(
        () -> {
          for (RunningNode node : nodes) {
            node.operator().prepareSnapshotPreBarrier(checkpointId);
          }
          Map<OperatorID, OperatorSnapshotFutures> futures = new LinkedHashMap<>();
          var storage = new MemCheckpointStreamFactory(MAX_STATE_BYTES);
          for (RunningNode node : tailToHead) {
            futures.put(
                node.plan().id(),
                node.operator()
                    .snapshotState(
                        checkpointId,
                        checkpointId,
                        CheckpointOptions.forCheckpointWithDefaultLocation(),
                        storage));
          }
          return new SinkState(finished(futures));
        });
  }

  /** Runs the asynchronous halves of the snapshots, so that nothing live is left of them. */
  private static Map<OperatorID, OperatorSubtaskState> finished(
      Map<OperatorID, OperatorSnapshotFutures> futures) throws Exception {
    Map<OperatorID, OperatorSubtaskState> states = new LinkedHashMap<>();
    for (Map.Entry<OperatorID, OperatorSnapshotFutures> entry : futures.entrySet()) {
      OperatorStateHandle managed = finished(entry.getValue().getOperatorStateManagedFuture());
      OperatorStateHandle raw = finished(entry.getValue().getOperatorStateRawFuture());
      if (managed != null || raw != null) {
        states.put(
            entry.getKey(),
            OperatorSubtaskState.builder()
                .setManagedOperatorState(StateObjectCollection.singletonOrEmpty(managed))
                .setRawOperatorState(StateObjectCollection.singletonOrEmpty(raw))
                .build());
      }
    }
    return states;
  }

  private static @Nullable OperatorStateHandle finished(
      RunnableFuture<SnapshotResult<OperatorStateHandle>> future) throws Exception {
    future.run();
    try {
      return future.get().getJobManagerOwnedSnapshot();
    } catch (ExecutionException e) {
      ExceptionUtils.rethrowException(e.getCause() == null ? e : e.getCause());
      throw e;
    }
  }

  @Override
  public void notifyComplete(long checkpointId) throws Exception {
    forAll(operator -> operator.notifyCheckpointComplete(checkpointId));
  }

  @Override
  public void notifyAborted(long checkpointId) throws Exception {
    forAll(operator -> operator.notifyCheckpointAborted(checkpointId));
  }

  @Override
  public void endOfInput() throws Exception {
    task.execute(
        () -> {
          entry.feedLastWatermark();
          for (RunningNode node : nodes) {
            node.finish();
            task.runMails();
          }
        });
  }

  @Override
  public void advanceClock(long processingTime) throws Exception {
    clock.accept(processingTime);
    task.execute(() -> task.advanceClock(processingTime));
  }

  @Override
  public void close() throws Exception {
    Exception failure = null;
    try {
      forAll(StreamOperator::close);
    } catch (Exception e) {
      failure = e;
    }
    task.release(failure);
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void drop() {
    try {
      task.release(null);
    } catch (Exception e) {
      throw new IllegalStateException("cannot free what a dropped attempt held", e);
    }
  }

  /** Goes through all operators against the stream; the first failure is thrown at the end. */
  private void forAll(OperatorCall call) throws Exception {
    task.execute(
        () -> {
          Exception failure = null;
          for (RunningNode node : tailToHead) {
            try {
              call.on(node.operator());
            } catch (Exception e) {
              failure = ExceptionUtils.firstOrSuppressed(e, failure);
            }
          }
          if (failure != null) {
            throw failure;
          }
        });
  }

  @FunctionalInterface
  private interface OperatorCall {
    void on(StreamOperator<Object> operator) throws Exception;
  }
}
