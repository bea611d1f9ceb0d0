package dev.twophase.kafka.internal;

import dev.twophase.kafka.internal.client.ClientProperties;
import dev.twophase.kafka.internal.client.Coordinators;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, beside writing, whether topics exist that only records name: for one that does not, a
 * producer waits for a minute in the task's own thread, and says nothing.
 */
final class NewTopics {

  private static final Logger LOG = LoggerFactory.getLogger(NewTopics.class);

  private final String sinkName;
  private final ClientProperties properties;
  private final Coordinators coordinators;
  private volatile boolean closed;

  NewTopics(String sinkName, ClientProperties properties, Coordinators coordinators) {
    this.sinkName = sinkName;
    this.properties = properties;
    this.coordinators = coordinators;
  }

  /** A record goes to that topic for the first time. Does not wait. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells
  void look(String topic) {
    coordinators
        .admin()
        .describeTopics(
            List.of(topic),
            new DescribeTopicsOptions().timeoutMs(coordinators.answerTimeoutMillis()))
        .allTopicNames()
        .whenComplete((found, error) -> answered(topic, error));
  }

  private void answered(String topic, Throwable told) {
    Throwable error = told instanceof CompletionException ? told.getCause() : told;
    String what;
    if (error instanceof UnknownTopicOrPartitionException) {
      what =
          "do not have, or do not show to this user: create it, unless they do so by themselves, or"
              + " grant DESCRIBE on it";
    } else if (error instanceof TimeoutException) {
      what = "have not told about: check that they can be reached from here";
    } else {
      return;
    }
    if (!closed) {
      LOG.warn(
          "Sink '{}' was given a record for topic {}, which the brokers at {} {}. Until then writing"
              + " waits, for {} ms at most (max.block.ms), and then fails",
          sinkName,
          topic,
          properties.bootstrapServers(),
          what,
          properties.longestBlockMillis());
    }
  }

  /** What is not answered by now is of no interest any more. */
  void close() {
    closed = true;
  }
}
