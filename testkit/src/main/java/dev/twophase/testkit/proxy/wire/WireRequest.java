package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/**
 * A message of the client.
 *
 * @param type its name in the protocol, such as {@code EndTxn}
 * @param version the protocol's version of that type; 0 where there is no such thing
 * @param exchange pairs it with the {@link WireReply}s of the same number on the same connection;
 *     several requests may share one
 * @param bytes the whole message, read-only
 * @param point what schedules call it, where it is a point at which they can strike, such as {@code
 *     Kafka.EndTxn}; empty if it is none
 */
public record WireRequest(String type, int version, long exchange, ByteBuffer bytes, String point) {

  /** The point of the first bytes of a connection of which no more is known. */
  public static final String FIRST_BYTES = "Tcp.first";

  /** That of all later ones, which only {@code K} and {@code U} can strike. */
  public static final String MORE_BYTES = "Tcp.bytes";

  /** Keeps a copy of the message. */
  public WireRequest {
    bytes = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip().asReadOnlyBuffer();
  }

  /** A message at which schedules cannot strike. */
  public WireRequest(String type, int version, long exchange, ByteBuffer bytes) {
    this(type, version, exchange, bytes, "");
  }

  /** Whether the message holds these characters, in UTF-8. */
  public boolean contains(String text) {
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
    for (int start = 0; start + wanted.length <= bytes.limit(); start++) {
      int matched = 0;
      while (matched < wanted.length && bytes.get(start + matched) == wanted[matched]) {
        matched++;
      }
      if (matched == wanted.length) {
        return true;
      }
    }
    return false;
  }

  /** Chooses requests of one type. */
  public static Predicate<WireRequest> ofType(String type) {
    return request -> request.type().equals(type);
  }

  @Override
  public String toString() {
    return type + " v" + version + " #" + exchange;
  }
}
