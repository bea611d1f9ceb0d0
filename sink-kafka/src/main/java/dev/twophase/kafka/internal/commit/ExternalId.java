package dev.twophase.kafka.internal.commit;

import dev.twophase.TransactionId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A transactional id as Kafka knows it: {@code orders/3/00c0ffee…/0}. An attempt reuses its few
 * slots, so that the number of ids does not grow with the number of checkpoints. Because a sink
 * name has no slash, the ids of {@code orders} and {@code orders-eu} are told apart by parsing.
 *
 * @param slot counts the producers of an attempt, from 0
 */
public record ExternalId(String sinkName, int subtask, UUID nonce, int slot) {

  private static final Pattern TEXT =
      Pattern.compile("([^/]+)/(\\d{1,9})/([0-9a-f]{16})([0-9a-f]{16})/(\\d{1,9})");

  /** Reads the text form; empty if the text is not one. */
  public static Optional<ExternalId> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new ExternalId(
            matcher.group(1),
            Integer.parseInt(matcher.group(2)),
            new UUID(
                Long.parseUnsignedLong(matcher.group(3), 16),
                Long.parseUnsignedLong(matcher.group(4), 16)),
            Integer.parseInt(matcher.group(5))));
  }

  /** Matches the ids of this sink and of no other, in the broker's regular expressions. */
  public static String pattern(String sinkName) {
    // A sink name consists of letters, digits, '_' and '-': nothing to quote.
    return sinkName + "/[0-9]{1,9}/[0-9a-f]{32}/[0-9]{1,9}";
  }

  /** The transaction as the protocol knows it; since when it holds records, Kafka cannot tell. */
  public TransactionId transactionId() {
    return new TransactionId(sinkName, subtask, 0, nonce);
  }

  @Override
  public String toString() {
    return sinkName + "/" + subtask + "/" + nonce.toString().replace("-", "") + "/" + slot;
  }
}
