package dev.twophase.testkit.proxy;

import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A line asks, and the next line of the server that does not begin with a dash ends the answer. */
final class LineFramer implements MessageFramer {

  @Override
  public Conversation open() {
    return new Lines();
  }

  private static final class Lines implements Conversation {

    private long asked;
    private long answered;

    @Override
    public int requestLength(ByteBuffer bytes) {
      for (int at = bytes.position(); at < bytes.limit(); at++) {
        if (bytes.get(at) == '\n') {
          return at - bytes.position() + 1;
        }
      }
      return INCOMPLETE;
    }

    @Override
    public int replyLength(ByteBuffer bytes) {
      return requestLength(bytes);
    }

    @Override
    public WireRequest request(ByteBuffer message) {
      String line = StandardCharsets.UTF_8.decode(message.duplicate()).toString();
      String type = line.strip().split(" ")[0];
      return new WireRequest(type, 0, asked++, message, "Line." + type);
    }

    @Override
    public WireReply reply(ByteBuffer message) {
      String line = StandardCharsets.UTF_8.decode(message).toString().strip();
      boolean last = !line.startsWith("-");
      return new WireReply(
          last ? answered++ : answered,
          last,
          line.startsWith("refused") ? WireReply.Outcome.FAILURE : WireReply.Outcome.SUCCESS);
    }
  }
}
