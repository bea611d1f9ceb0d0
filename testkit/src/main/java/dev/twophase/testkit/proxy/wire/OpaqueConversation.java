package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;

/**
 * Bytes without meaning. Where a request begins is known of the first ones only: those that follow
 * may be the rest of one, of which the server then has a part.
 */
final class OpaqueConversation implements MessageFramer.Conversation {

  private static final long EXCHANGE = 0;

  private boolean begun;

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
    String point = begun ? WireRequest.MORE_BYTES : WireRequest.FIRST_BYTES;
    begun = true;
    return new WireRequest("bytes", 0, EXCHANGE, message, point);
  }

  @Override
  public WireReply reply(ByteBuffer message) {
    return new WireReply(EXCHANGE, true, WireReply.Outcome.UNKNOWN);
  }
}
