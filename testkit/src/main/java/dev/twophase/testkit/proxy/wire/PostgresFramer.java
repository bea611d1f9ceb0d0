package dev.twophase.testkit.proxy.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * PostgreSQL's protocol, as far as faults need it: requests are told by the names of their
 * messages, such as {@code Query}, {@code Parse} and {@code Sync}, and all up to a {@code Query} or
 * {@code Sync} are one exchange, which ends when the server is ready again. For connections without
 * TLS and GSSAPI.
 *
 * <p>Points of schedules are the start of a connection, {@code Postgres.Startup}; each statement
 * when it is executed, by its first word, such as {@code Postgres.COMMIT}; and {@code
 * Postgres.CopyDone}.
 *
 * <p>An exchange counts as success where it committed or prepared: the server said {@code COMMIT},
 * {@code COMMIT PREPARED} or {@code PREPARE TRANSACTION} and was ready again. It counts as failure
 * where the server said {@code ROLLBACK} or reported an error; otherwise it is unknown.
 */
public final class PostgresFramer implements MessageFramer {

  private static final int TYPE_BYTES = 1;
  private static final int LENGTH_BYTES = 4;
  private static final int PROTOCOL_3 = 3 << 16;

  /** The answer to a request for encryption. */
  private static final byte REFUSED = 'N';

  private static final Map<Character, String> NAMES =
      Map.ofEntries(
          Map.entry('B', "Bind"),
          Map.entry('C', "Close"),
          Map.entry('D', "Describe"),
          Map.entry('E', "Execute"),
          Map.entry('H', "Flush"),
          Map.entry('P', "Parse"),
          Map.entry('Q', "Query"),
          Map.entry('S', "Sync"),
          Map.entry('X', "Terminate"),
          Map.entry('c', "CopyDone"),
          Map.entry('d', "CopyData"),
          Map.entry('f', "CopyFail"),
          Map.entry('p', "Password"));

  @Override
  public Conversation open() {
    return new PostgresConversation();
  }

  private static final class PostgresConversation implements Conversation {

    private final PostgresStatements statements = new PostgresStatements();
    private boolean started;
    private boolean encryptionAsked;
    private long asked;
    private long answered;
    private boolean committed;
    private boolean failed;

    @Override
    public int requestLength(ByteBuffer bytes) {
      return started ? typedLength(bytes) : untypedLength(bytes);
    }

    private static int untypedLength(ByteBuffer bytes) {
      return bytes.remaining() < LENGTH_BYTES ? INCOMPLETE : bytes.getInt(bytes.position());
    }

    private static int typedLength(ByteBuffer bytes) {
      return bytes.remaining() < TYPE_BYTES + LENGTH_BYTES
          ? INCOMPLETE
          : TYPE_BYTES + bytes.getInt(bytes.position() + TYPE_BYTES);
    }

    @Override
    public int replyLength(ByteBuffer bytes) {
      return encryptionAsked ? 1 : typedLength(bytes);
    }

    @Override
    public WireRequest request(ByteBuffer message) {
      if (!started) {
        started = message.getInt(message.position() + LENGTH_BYTES) >>> 16 == PROTOCOL_3 >>> 16;
        encryptionAsked = !started;
        return started
            ? new WireRequest("Startup", 3, asked, message, "Postgres.Startup")
            : new WireRequest("EncryptionRequest", 3, asked, message);
      }
      char type = (char) message.get(message.position());
      String name = NAMES.getOrDefault(type, "Message " + type);
      WireRequest request =
          new WireRequest(name, 3, 1 + asked, message, statements.pointOf(type, message));
      if (type == 'Q' || type == 'S') {
        asked++;
      }
      return request;
    }

    @Override
    public WireReply reply(ByteBuffer message) {
      if (encryptionAsked) {
        encryptionAsked = false;
        if (message.get(message.position()) != REFUSED) {
          throw new IllegalStateException(
              "The server has agreed to encrypt a connection, so that no statement on it can be"
                  + " struck: connect with sslmode=disable and gssEncMode=disable");
        }
        return new WireReply(WireReply.UNASKED, true, WireReply.Outcome.UNKNOWN);
      }
      char type = (char) message.get(message.position());
      switch (type) {
        case 'E' -> failed = true;
        case 'C' -> {
          String tag = tag(message);
          committed |= tag.startsWith("COMMIT") || tag.equals("PREPARE TRANSACTION");
          failed |= tag.startsWith("ROLLBACK");
        }
        case 'Z' -> {
          return ready();
        }
        default -> {
          return new WireReply(answered, false, WireReply.Outcome.UNKNOWN);
        }
      }
      return new WireReply(answered, false, WireReply.Outcome.UNKNOWN);
    }

    private WireReply ready() {
      WireReply.Outcome outcome =
          failed
              ? WireReply.Outcome.FAILURE
              : committed ? WireReply.Outcome.SUCCESS : WireReply.Outcome.UNKNOWN;
      committed = false;
      failed = false;
      return new WireReply(answered++, true, outcome);
    }

    private static String tag(ByteBuffer message) {
      byte[] text = new byte[message.remaining() - TYPE_BYTES - LENGTH_BYTES - 1];
      message.get(message.position() + TYPE_BYTES + LENGTH_BYTES, text);
      return new String(text, StandardCharsets.US_ASCII);
    }
  }
}
