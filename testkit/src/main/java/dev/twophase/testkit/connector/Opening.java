package dev.twophase.testkit.connector;

import dev.twophase.ConnectorContext.Role;
import dev.twophase.TransactionId;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.internal.tier.OpenedContext;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.SimpleCounter;

/**
 * For what and where a {@link DrivenConnector} is opened. Immutable.
 *
 * @param subtask from 0
 * @param parallelism of the sink, above {@code subtask}
 * @param jobId see {@link dev.twophase.ConnectorContext#jobId}
 * @param restoredLine see {@link dev.twophase.ConnectorContext#restoredLine}
 */
public record Opening(
    Role role,
    String sinkName,
    int subtask,
    int parallelism,
    Optional<String> jobId,
    OptionalLong restoredLine,
    DeliveryGuarantee guarantee) {

  /**
   * @throws IllegalArgumentException if the name is no sink name or the subtask is not one of the
   *     parallelism
   */
  public Opening {
    TransactionId.checkSinkName(sinkName);
    if (subtask < 0 || subtask >= parallelism) {
      throw new IllegalArgumentException(
          "Subtask " + subtask + " of " + parallelism + ": counted from 0, below the parallelism");
    }
  }

  /** The only writer of an exactly-once sink. */
  public static Opening writer(String sinkName) {
    return of(Role.WRITER, sinkName);
  }

  /** The only committer of an exactly-once sink. */
  public static Opening committer(String sinkName) {
    return of(Role.COMMITTER, sinkName);
  }

  private static Opening of(Role role, String sinkName) {
    return new Opening(
        role,
        sinkName,
        0,
        1,
        Optional.empty(),
        OptionalLong.empty(),
        DeliveryGuarantee.EXACTLY_ONCE);
  }

  /**
   * As one of several subtasks.
   *
   * @throws IllegalArgumentException if the subtask is not one of the parallelism
   */
  public Opening at(int subtask, int parallelism) {
    return new Opening(role, sinkName, subtask, parallelism, jobId, restoredLine, guarantee);
  }

  /** In the job of this id. */
  public Opening inJob(String jobId) {
    return new Opening(
        role, sinkName, subtask, parallelism, Optional.of(jobId), restoredLine, guarantee);
  }

  /** From state that holds this line. */
  public Opening restoredFromLine(long line) {
    return new Opening(
        role, sinkName, subtask, parallelism, jobId, OptionalLong.of(line), guarantee);
  }

  /** Of a sink with this guarantee. */
  public Opening withGuarantee(DeliveryGuarantee guarantee) {
    return new Opening(role, sinkName, subtask, parallelism, jobId, restoredLine, guarantee);
  }

  OpenedContext context() {
    return new OpenedContext(
        role,
        sinkName,
        subtask,
        parallelism,
        jobId,
        restoredLine,
        UUID.randomUUID(),
        new SimpleCounter(),
        true,
        SinkOptions.defaults().withGuarantee(guarantee));
  }
}
