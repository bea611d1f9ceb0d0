package dev.twophase.kafka.internal.client;

import dev.twophase.kafka.KafkaRecordMapper;
import dev.twophase.policy.RewindPolicy;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the job author configured.
 *
 * @param topics those known beforehand; empty if each record names its own
 * @param markerTopic where witnesses are written instead, or null
 */
public record KafkaSettings<IN>(
    ClientProperties properties,
    KafkaRecordMapper<IN> mapper,
    List<String> topics,
    Duration transactionTimeout,
    @Nullable String markerTopic,
    boolean rewindDetection,
    RewindPolicy rewindPolicy,
    KafkaClients clients)
    implements Serializable {

  /**
   * The consumer group whose offset tells which transaction a subtask committed last. A sink name
   * has no dot, so that groups of different sinks differ.
   */
  public static String group(String sinkName, int subtask) {
    return "twophase." + sinkName + "." + subtask;
  }

  /** The same, whose clients say for which sink they cannot be made. */
  public KafkaSettings<IN> of(String sinkName) {
    return new KafkaSettings<>(
        properties,
        mapper,
        topics,
        transactionTimeout,
        markerTopic,
        rewindDetection,
        rewindPolicy,
        new TellingClients(clients, sinkName));
  }

  /** Whether what another attempt has published is not to be published again. */
  public boolean refusesRewinds() {
    return rewindDetection && rewindPolicy == RewindPolicy.FAIL;
  }

  @Override
  public String toString() {
    return "KafkaSettings[" + properties + ", topics " + topics + "]";
  }
}
