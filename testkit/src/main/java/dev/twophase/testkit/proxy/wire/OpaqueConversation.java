package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;

/** Bytes without meaning. */
final class OpaqueConversation implements MessageFramer.Conversation {

  private static final long EXCHANGE = 0;

  @Override
  public int requestLength(ByteBuffer bytes) {
    return bytes.remaining();
  }

  @Override
  public int replyLength(ByteBuffer bytes) {
    return bytes.remaining();
  }

  @Override
  public WireRequest request(ByteBuffer message) {
    return new WireRequest("bytes", 0, EXCHANGE, message, "Tcp.bytes");
  }

  @Override
  public WireReply reply(ByteBuffer message) {
    return new WireReply(EXCHANGE, true, WireReply.Outcome.UNKNOWN);
  }
}
