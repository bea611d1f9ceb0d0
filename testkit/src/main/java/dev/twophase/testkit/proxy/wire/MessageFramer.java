package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;

/** What a proxy must know of a protocol: where messages end, and which reply answers what. */
@FunctionalInterface
public interface MessageFramer {

  /** For a new connection, of which no byte has passed. */
  Conversation open();

  /**
   * For protocols the kit does not know, and for encrypted ones: whatever arrives next from the
   * server is taken for the reply, of unknown outcome. Where a request begins is known of the first
   * bytes of a connection, {@code Tcp.first}; later ones, {@code Tcp.bytes}, can be struck by
   * {@code K} and {@code U} only.
   */
  static MessageFramer opaque() {
    return OpaqueConversation::new;
  }

  /**
   * One connection's messages, in the order in which they pass. Called by one thread at a time;
   * must leave the positions of the buffers it is given as it likes, but never keep them.
   */
  interface Conversation {

    /** Returned when the bytes are not a whole message yet. */
    int INCOMPLETE = -1;

    /**
     * How long the client's message at the buffer's position is.
     *
     * @param bytes what has arrived, at least one byte
     * @return bytes, or {@link #INCOMPLETE}
     */
    int requestLength(ByteBuffer bytes);

    /** As {@link #requestLength}, for what the server sends. */
    int replyLength(ByteBuffer bytes);

    /** What a whole message of the client is. Called once for each. */
    WireRequest request(ByteBuffer message);

    /**
     * What a whole message of the server answers. Called once for each.
     *
     * @throws IllegalStateException if nothing that follows can be read, as when it is encrypted:
     *     the connection is cut, and the schedule proves nothing
     */
    WireReply reply(ByteBuffer message);
  }
}
