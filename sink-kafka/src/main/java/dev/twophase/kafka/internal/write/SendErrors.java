package dev.twophase.kafka.internal.write;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Says what to do about an error of a producer. */
final class SendErrors {

  private SendErrors() {}

  /** An exception that says what happened and, where it is known, what to do. */
  static KafkaException explain(String what, Exception error) {
    String remedy = remedy(error);
    String reason = String.valueOf(error.getMessage()).replaceFirst("\\.$", "");
    return new KafkaException(what + ": " + reason + (remedy == null ? "" : ". " + remedy), error);
  }

  private static @Nullable String remedy(Exception error) {
    if (error instanceof TransactionalIdAuthorizationException) {
      return "Grant the user WRITE and DESCRIBE on transactional ids that begin with the sink's"
          + " transactionalIdPrefix and a slash";
    } else if (error instanceof TopicAuthorizationException denied) {
      return "Grant the user WRITE and DESCRIBE on topics " + denied.unauthorizedTopics();
    } else if (error instanceof GroupAuthorizationException denied) {
      return "Grant the user READ on group "
          + denied.groupId()
          + ", or switch it off with setRewindDetection(false)";
    } else if (error instanceof InvalidTxnTimeoutException) {
      return "Lower setTransactionTimeout, or raise the broker's transaction.max.timeout.ms";
    } else if (error instanceof RecordTooLargeException
        && String.valueOf(error.getMessage()).contains(ProducerConfig.BUFFER_MEMORY_CONFIG)) {
      return "Raise buffer.memory with setProperty";
    } else if (error instanceof RecordTooLargeException) {
      return "Raise max.request.size with setProperty, and the topic's max.message.bytes";
    } else if (error instanceof NotEnoughReplicasException) {
      return "Too few replicas are in sync for min.insync.replicas: bring brokers back";
    } else if (error instanceof UnknownTopicOrPartitionException) {
      return "Create the topic, or grant the user DESCRIBE on it";
    } else if (error instanceof ProducerFencedException) {
      return "Another process uses this transactional id, or the transaction timed out before its"
          + " checkpoint: make sure that one running job uses this transactionalIdPrefix, and that"
          + " setTransactionTimeout covers checkpoint interval plus checkpoint duration";
    } else if (error instanceof TimeoutException) {
      return "Check that bootstrap.servers are reachable, that the topic exists, and that the"
          + " brokers keep up; delivery.timeout.ms and max.block.ms bound the wait";
    }
    return null;
  }
}
