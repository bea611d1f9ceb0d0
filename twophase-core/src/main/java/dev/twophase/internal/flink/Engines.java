package dev.twophase.internal.flink;

import dev.twophase.TransactionalConnector;
import dev.twophase.internal.engine.Attempt;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.EngineClock;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.internal.engine.WriterEngine;
import dev.twophase.policy.SinkOptions;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.jspecify.annotations.Nullable;

/** Makes both halves of the engine for a task, on the real clock: the same for both Flink APIs. */
public record Engines(SinkOptions options, ProtocolListener listener) {

  /**
   * The writing half of a new attempt.
   *
   * @param restoredCheckpoint 0 if nothing was restored
   */
  public <IN, T, H> WriterEngine<IN, T, H> writer(
      TransactionalConnector<IN, T, H> writing,
      ConnectorInstance instance,
      long restoredCheckpoint) {
    Attempt attempt =
        new Attempt(
            instance.sinkName(),
            instance.subtask(),
            instance.parallelism(),
            instance.attemptNonce(),
            restoredCheckpoint);
    return new WriterEngine<>(writing, attempt, EngineClock.system(), listener);
  }

  /** The committing half. */
  public <H> CommitEngine<H> commits(TransactionalConnector<?, ?, H> committing) {
    return new CommitEngine<>(
        committing,
        options,
        EngineClock.system(),
        () -> ThreadLocalRandom.current().nextDouble(),
        listener);
  }

  /**
   * What stands for a committer under the weaker guarantees; null under EXACTLY_ONCE.
   *
   * @param checkpoints whether something tells the sink when to commit; otherwise a timer does
   */
  public <IN, T, H> @Nullable ImmediateCommits<IN, T, H> immediate(
      WriterEngine<IN, T, H> writer,
      TransactionalConnector<?, ?, H> committing,
      boolean checkpoints,
      ProcessingTimeService time) {
    DeliveryGuarantee guarantee = options.guarantee();
    if (guarantee == DeliveryGuarantee.EXACTLY_ONCE) {
      return null;
    }
    ImmediateCommits<IN, T, H> immediate =
        new ImmediateCommits<>(writer, commits(committing), committing, guarantee);
    if (guarantee == DeliveryGuarantee.NONE || !checkpoints) {
      immediate.every(options.flushInterval().toMillis(), time);
    }
    return immediate;
  }
}
