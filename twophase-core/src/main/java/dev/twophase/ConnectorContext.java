package dev.twophase;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Where an opened {@link TransactionalConnector} finds itself. Read it in {@code open}. */
public interface ConnectorContext {

  /** What this instance is for. */
  enum Role {
    /** begins, writes, prepares */
    WRITER,
    /** commits, and aborts what lingers */
    COMMITTER,
    /** outside a job: listing, checking, cleaning up by hand */
    TOOL
  }

  Role role();

  /** Valid by {@link TransactionId#checkSinkName}. */
  String sinkName();

  /** Index of this subtask, from 0. */
  int subtask();

  /** Number of subtasks of the sink. */
  int parallelism();

  /** Random per attempt and part of all its transaction ids. */
  UUID attemptNonce();

  /**
   * Flink's id of the running job, the same for all its subtasks and restarts; another when it is
   * submitted again. Empty outside a job. A connector whose resource can keep a mark tells two
   * running jobs of one sink name apart by it (R6).
   */
  default Optional<String> jobId() {
    return Optional.empty();
  }

  /**
   * The {@link TransactionalConnector#line} that this writer's restored state was taken in; of
   * several, as after a change of parallelism, the newest (R6). Empty for other roles, without
   * restored state, for a subtask that got none of it, and where the state is older than lines.
   */
  default OptionalLong restoredLine() {
    return OptionalLong.empty();
  }

  /** What the job author asked for. */
  DeliveryGuarantee guarantee();

  /** For the connector's own metrics; those of the protocol are already there. */
  MetricGroup metrics();

  /** FLIP-33's numBytesSend; a connector that knows how many bytes it sends counts them here. */
  Counter bytesSent();

  /** Loads classes of the job. */
  ClassLoader userClassLoader();
}
