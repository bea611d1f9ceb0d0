package dev.twophase.kafka.internal.record;

import java.util.Set;

/** What brokers take for a topic of a client. */
public final class TopicName {

  /** The longest. */
  public static final int LONGEST = 249;

  /** Kafka's own, which no client may write to. */
  private static final Set<String> INTERNAL =
      Set.of(
          "__consumer_offsets",
          "__transaction_state",
          "__share_group_state",
          "__cluster_metadata",
          "__remote_log_metadata");

  private TopicName() {}

  /** Whether it is one of Kafka's own. */
  public static boolean isInternal(String topic) {
    return INTERNAL.contains(topic);
  }

  /** Whether a topic can have that name. */
  public static boolean isValid(String topic) {
    return !topic.isEmpty()
        && topic.length() <= LONGEST
        && !topic.equals(".")
        && !topic.equals("..")
        && topic.chars().allMatch(TopicName::isAllowed);
  }

  private static boolean isAllowed(int each) {
    return (each >= 'a' && each <= 'z')
        || (each >= 'A' && each <= 'Z')
        || (each >= '0' && each <= '9')
        || each == '.'
        || each == '_'
        || each == '-';
  }
}
