package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Kafka's protocol, as far as faults need it: requests are told by the name of their API, such as
 * {@code EndTxn}, {@code Produce} or {@code InitProducerId}, and replies are paired with them. For
 * connections without TLS.
 *
 * <p>Points of schedules are {@code Kafka.Produce}, {@code Kafka.EndTxn} and the other requests
 * that change something.
 *
 * <p>A reply counts as success or failure where its error code is the reply's first field after the
 * throttle time ({@code EndTxn}, {@code InitProducerId}); otherwise it is unknown.
 *
 * <p>Thread-safe: connections share nothing.
 */
public final class KafkaFramer implements MessageFramer {

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(0, "Produce"),
          Map.entry(1, "Fetch"),
          Map.entry(2, "ListOffsets"),
          Map.entry(3, "Metadata"),
          Map.entry(8, "OffsetCommit"),
          Map.entry(9, "OffsetFetch"),
          Map.entry(10, "FindCoordinator"),
          Map.entry(11, "JoinGroup"),
          Map.entry(12, "Heartbeat"),
          Map.entry(17, "SaslHandshake"),
          Map.entry(18, "ApiVersions"),
          Map.entry(19, "CreateTopics"),
          Map.entry(22, "InitProducerId"),
          Map.entry(24, "AddPartitionsToTxn"),
          Map.entry(25, "AddOffsetsToTxn"),
          Map.entry(26, "EndTxn"),
          Map.entry(27, "WriteTxnMarkers"),
          Map.entry(28, "TxnOffsetCommit"),
          Map.entry(32, "DescribeConfigs"),
          Map.entry(36, "SaslAuthenticate"),
          Map.entry(60, "DescribeCluster"),
          Map.entry(61, "DescribeProducers"),
          Map.entry(65, "DescribeTransactions"),
          Map.entry(66, "ListTransactions"));

  /** What is not asked in the background, from time to time, but because of what a sink does. */
  private static final Set<String> CHANGING =
      Set.of(
          "Produce",
          "InitProducerId",
          "AddPartitionsToTxn",
          "AddOffsetsToTxn",
          "TxnOffsetCommit",
          "EndTxn");

  @Override
  public Conversation open() {
    return new KafkaConversation();
  }

  private static final class KafkaConversation implements Conversation {

    private static final int SIZE_BYTES = 4;
    private static final int END_TXN = 26;
    private static final int INIT_PRODUCER_ID = 22;

    private final Map<Integer, Asked> asked = new ConcurrentHashMap<>();

    @Override
    public int requestLength(ByteBuffer bytes) {
      return bytes.remaining() < SIZE_BYTES
          ? INCOMPLETE
          : SIZE_BYTES + bytes.getInt(bytes.position());
    }

    @Override
    public int replyLength(ByteBuffer bytes) {
      return requestLength(bytes);
    }

    @Override
    public WireRequest request(ByteBuffer message) {
      ByteBuffer whole = message.duplicate();
      message.getInt();
      Asked request = new Asked(message.getShort(), message.getShort());
      int correlation = message.getInt();
      asked.put(correlation, request);
      String name = name(request.api());
      String point = CHANGING.contains(name) ? "Kafka." + name : "";
      return new WireRequest(name, request.version(), correlation, whole, point);
    }

    @Override
    public WireReply reply(ByteBuffer message) {
      message.getInt();
      int correlation = message.getInt();
      Asked request = asked.remove(correlation);
      return new WireReply(
          correlation,
          true,
          request == null ? WireReply.Outcome.UNKNOWN : outcome(request, message));
    }

    /** The position is after the correlation id. */
    private static WireReply.Outcome outcome(Asked request, ByteBuffer reply) {
      int firstFlexible =
          switch (request.api()) {
            case END_TXN -> 3;
            case INIT_PRODUCER_ID -> 2;
            default -> -1;
          };
      if (firstFlexible < 0) {
        return WireReply.Outcome.UNKNOWN;
      }
      if (request.version() >= firstFlexible && reply.get() != 0) {
        return WireReply.Outcome.UNKNOWN;
      }
      reply.getInt();
      return reply.getShort() == 0 ? WireReply.Outcome.SUCCESS : WireReply.Outcome.FAILURE;
    }

    private static String name(int api) {
      return NAMES.getOrDefault(api, "Api" + api);
    }
  }

  private record Asked(int api, int version) {}
}
