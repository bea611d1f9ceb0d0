package dev.twophase.testkit.internal.cluster;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.cluster.TaskAttempt.Trigger;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One attempt of one subtask in a real task. Each method waits until the task has done it. */
final class ClusterSubtask<IN> implements Subtask<Long> {

  private final DrivenJob job;
  private final TaskAttempt attempt;
  private final Function<TestRecord, IN> toInput;
  private final long patienceMillis;
  private final LongConsumer clock;
  private boolean inputEnded;
  private long finalCheckpoint = Long.MAX_VALUE;

  ClusterSubtask(
      DrivenJob job,
      TaskAttempt attempt,
      Function<TestRecord, IN> toInput,
      long patienceMillis,
      LongConsumer clock) {
    this.job = job;
    this.attempt = attempt;
    this.toInput = toInput;
    this.patienceMillis = patienceMillis;
    this.clock = clock;
  }

  private DrivenTask task() {
    return Objects.requireNonNull(attempt.task(), "an attempt that runs has a task");
  }

  /** Whatever comes after the notification with which an attempt ends, closes it. */
  private void nextStep() {
    if (attempt.ending()) {
      attempt.close();
    }
    attempt.nextStep();
  }

  void awaitStart() throws Exception {
    await(attempt.running(), "the start");
  }

  @Override
  public void input(TestRecord record) throws Exception {
    nextStep();
    await(task().feed(Objects.requireNonNull(toInput.apply(record))), "a record");
  }

  @Override
  public Long snapshot(long checkpointId) throws Exception {
    if (attempt.isLost()) {
      return snapshotUnseen(checkpointId);
    }
    long real = job.begin(checkpointId);
    CompletableFuture<Trigger> arrival = attempt.trigger(real);
    await(arrival, "the arrival of a barrier");
    nextStep();
    boolean stops = job.stopsWith(checkpointId);
    if (inputEnded || stops) {
      finalCheckpoint = Math.min(finalCheckpoint, checkpointId);
    }
    await(
        stops ? task().stop(arrival.join(), inputEnded) : task().pass(arrival.join()),
        "a snapshot");
    await(attempt.acknowledgement(real), "the asynchronous part of a snapshot");
    return real;
  }

  /** A lost attempt is sent no barriers: it passes one all the same, as if it had been. */
  private Long snapshotUnseen(long checkpointId) throws Exception {
    long real = job.realOrNew(checkpointId);
    nextStep();
    await(task().passUnknown(real), "a snapshot");
    await(attempt.acknowledgement(real), "the asynchronous part of a snapshot");
    return real;
  }

  @Override
  public void notifyComplete(long checkpointId) throws Exception {
    long real = job.real(checkpointId);
    if (!attempt.isLost()) {
      await(attempt.completion(real), "a notification of completion");
    }
    nextStep();
    if (checkpointId >= finalCheckpoint) {
      attempt.mayEnd();
    }
    await(task().tellComplete(real), "the work of a notification");
  }

  @Override
  public void notifyAborted(long checkpointId) throws Exception {
    long real = job.real(checkpointId);
    if (!attempt.isLost() && !job.isDoubted(checkpointId)) {
      await(attempt.abortion(real), "a notification of abortion");
    }
    nextStep();
    await(task().tellAborted(real), "the work of a notification");
  }

  @Override
  public void endOfInput() throws Exception {
    nextStep();
    inputEnded = true;
    await(task().endInput(), "the end of input");
  }

  @Override
  public void advanceClock(long processingTime) throws Exception {
    clock.accept(processingTime);
    nextStep();
    await(task().advanceClock(processingTime), "what the passing of time brings about");
  }

  @Override
  public void close() throws Exception {
    end("closed by the schedule");
  }

  @Override
  public void drop() {
    end("killed by the schedule");
  }

  private void end(String why) {
    nextStep();
    if (!attempt.ending() && !attempt.closed().isDone()) {
      task().fail(why);
    }
    job.await(attempt.closed(), "the end of an attempt");
    if (attempt.ending() && attempt.endedRegularly()) {
      job.awaitEnd(attempt);
    }
  }

  /** Waits for something that the task does, or for the end of the task if that comes first. */
  private void await(Future<?> something, String what) throws Exception {
    CompletableFuture<?> awaited = (CompletableFuture<?>) something;
    try {
      CompletableFuture.anyOf(awaited, attempt.closed()).get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      // The task is on its way to its end, which is awaited below.
    } catch (TimeoutException e) {
      throw stuck(what);
    }
    if (awaited.isDone() && !awaited.isCompletedExceptionally()) {
      return;
    }
    if (attempt.ending() && attempt.closed().isDone()) {
      return;
    }
    job.await(attempt.closed(), "the end of an attempt that failed");
    throwFailure(what);
  }

  private void throwFailure(String what) throws Exception {
    @Nullable Throwable failure = attempt.failure();
    if (failure instanceof Exception exception) {
      throw exception;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException("the task ended during " + what);
  }

  private InconclusiveException stuck(String what) {
    return new InconclusiveException(
        what + " took longer than " + patienceMillis + " ms: " + attempt.whereItIs());
  }
}
