package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.internal.cluster.TaskAttempt.Trigger;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.checkpoint.CheckpointMetaData;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.io.network.api.StopMode;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxDefaultAction;
import org.apache.flink.util.function.RunnableWithException;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/**
 * Flink's own task with Flink's own operators, whose input, barriers and notifications come when
 * the schedule says so. Made by Flink.
 */
public final class DrivenTask extends StreamTask<Object, StreamOperator<Object>> {

  private final TaskAttempt attempt;

  /** Called by Flink. */
  public DrivenTask(Environment environment) throws Exception {
    super(
        TaskAttempt.admit(environment),
        clock(),
        (thread, error) -> TaskAttempt.current().failed(error),
        new Recording());
    this.attempt = TaskAttempt.current();
    attempt.bind(this);
  }

  private static TestProcessingTimeService clock() throws Exception {
    TestProcessingTimeService clock = new Clock();
    clock.setCurrentTime(TaskAttempt.current().startTime());
    return clock;
  }

  /**
   * Stopped by a task that has done all its work, before it closes its operators: the one place
   * where it can be made to wait until the schedule has come to that.
   */
  private static final class Clock extends TestProcessingTimeService {
    @Override
    public CompletableFuture<Void> quiesce() {
      TaskAttempt.current().awaitClosing();
      return super.quiesce();
    }
  }

  @Override
  protected void init() {}

  @Override
  protected void processInput(MailboxDefaultAction.Controller controller) throws Exception {
    controller.suspendDefaultAction();
    if (operatorChain.isTaskDeployedAsFinished()) {
      endInputHere();
    }
    attempt.isRunning();
  }

  /** An end at which the operators are closed already, or were never made. */
  @Override
  protected void cleanUpInternal() throws Exception {
    super.cleanUpInternal();
    if (operatorChain == null || operatorChain.isClosed()) {
      TaskAttempt.headClosed();
    }
  }

  @Override
  protected void advanceToEndOfEventTime() {
    operatorChain.getMainOperatorOutput().emitWatermark(Watermark.MAX_WATERMARK);
  }

  private void endInputHere() throws Exception {
    operatorChain.endInput(1);
    endData(StopMode.DRAIN);
    notifyEndOfData();
    mailboxProcessor.suspend();
  }

  @Override
  public CompletableFuture<Boolean> triggerCheckpointAsync(
      CheckpointMetaData data, CheckpointOptions options) {
    if (operatorChain.isTaskDeployedAsFinished()) {
      return super.triggerCheckpointAsync(data, options);
    }
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    attempt.triggerArrived(new Trigger(data, options, result));
    return result;
  }

  @Override
  public Future<Void> notifyCheckpointCompleteAsync(long checkpointId) {
    if (operatorChain.isTaskDeployedAsFinished()) {
      return super.notifyCheckpointCompleteAsync(checkpointId);
    }
    attempt.completion(checkpointId).complete(null);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Future<Void> notifyCheckpointAbortAsync(long checkpointId, long latestCompleted) {
    attempt.abortion(checkpointId).complete(null);
    return CompletableFuture.completedFuture(null);
  }

  /** Lets a barrier pass that has arrived. */
  CompletableFuture<Boolean> pass(Trigger trigger) {
    return super.triggerCheckpointAsync(trigger.data(), trigger.options())
        .whenComplete(
            (success, error) -> {
              if (error == null) {
                trigger.result().complete(success);
              } else {
                trigger.result().completeExceptionally(error);
              }
            });
  }

  /** Lets the barrier of a savepoint pass with which the job stops. */
  CompletableFuture<Boolean> stop(Trigger trigger, boolean inputHasEnded) {
    CompletableFuture<@Nullable Void> stopped =
        mail(
            () -> {
              setSynchronousSavepoint(trigger.data().getCheckpointId());
              if (!inputHasEnded) {
                endData(StopMode.NO_DRAIN);
                notifyEndOfData();
                mailboxProcessor.suspend();
              }
            });
    return stopped.thenCompose(done -> pass(trigger));
  }

  /** Lets the barrier of a checkpoint pass of which the job manager knows nothing. */
  CompletableFuture<Boolean> passUnknown(long checkpointId) {
    return super.triggerCheckpointAsync(
        new CheckpointMetaData(checkpointId, checkpointId),
        CheckpointOptions.forCheckpointWithDefaultLocation());
  }

  CompletableFuture<@Nullable Void> advanceClock(long processingTime) {
    return mail(() -> ((TestProcessingTimeService) timerService).setCurrentTime(processingTime));
  }

  /** Refuses a barrier that has arrived, and lives on. */
  void decline(Trigger trigger) {
    getEnvironment()
        .declineCheckpoint(
            trigger.data().getCheckpointId(),
            new CheckpointException(
                "given up by the schedule", CheckpointFailureReason.CHECKPOINT_DECLINED));
    trigger.result().complete(true);
  }

  Future<Void> tellComplete(long checkpointId) {
    return super.notifyCheckpointCompleteAsync(checkpointId);
  }

  Future<Void> tellAborted(long checkpointId) {
    // The id of a completed checkpoint would deliver a notification that the schedule has lost.
    return super.notifyCheckpointAbortAsync(checkpointId, 0);
  }

  CompletableFuture<@Nullable Void> feed(Object value) {
    return mail(() -> operatorChain.getMainOperatorOutput().collect(new StreamRecord<>(value)));
  }

  CompletableFuture<@Nullable Void> endInput() {
    return mail(this::endInputHere);
  }

  /** Ends the task as a failure of its own would. */
  void fail(String why) {
    // Whether it is the cause of the end, or comes too late for that, is all the same.
    CompletableFuture<?> unused =
        mail(
            () -> {
              throw new IllegalStateException(why);
            });
  }

  private CompletableFuture<@Nullable Void> mail(RunnableWithException action) {
    CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
    try {
      mailboxProcessor
          .getMainMailboxExecutor()
          .execute(
              () -> {
                try {
                  action.run();
                  result.complete(null);
                } catch (Throwable t) {
                  result.completeExceptionally(t);
                  throw t;
                }
              },
              "step of the schedule");
    } catch (RejectedExecutionException ended) {
      result.completeExceptionally(ended);
    }
    return result;
  }

  /** Runs what it is given, and remembers the first thing that went wrong. */
  private static final class Recording implements StreamTaskActionExecutor {

    @Override
    public void run(RunnableWithException runnable) throws Exception {
      try {
        runnable.run();
      } catch (Throwable t) {
        TaskAttempt.current().failed(t);
        throw t;
      }
    }

    @Override
    public <E extends Throwable> void runThrowing(ThrowingRunnable<E> runnable) throws E {
      try {
        runnable.run();
      } catch (Throwable t) {
        TaskAttempt.current().failed(t);
        throw t;
      }
    }

    @Override
    public <R> R call(Callable<R> callable) throws Exception {
      try {
        return callable.call();
      } catch (Throwable t) {
        TaskAttempt.current().failed(t);
        throw t;
      }
    }
  }
}
