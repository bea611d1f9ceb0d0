package dev.twophase.testkit.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.proxy.wire.MessageFramer.Conversation;
import dev.twophase.testkit.proxy.wire.WireReply.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresFramerTest {

  private static final int PROTOCOL_3 = 3 << 16;
  private static final int SSL_REQUEST = 80877103;

  private final Conversation conversation = new PostgresFramer().open();

  @BeforeEach
  void start() {
    assertThat(conversation.request(untyped(PROTOCOL_3)).type()).isEqualTo("Startup");
    assertThat(ready()).isEqualTo(new WireReply(0, true, Outcome.UNKNOWN));
  }

  private static ByteBuffer untyped(int code) {
    return ByteBuffer.allocate(8).putInt(8).putInt(code).flip();
  }

  private static ByteBuffer message(char type, String text) {
    byte[] body = (text + '\0').getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(5 + body.length)
        .put((byte) type)
        .putInt(4 + body.length)
        .put(body)
        .flip();
  }

  private WireReply ready() {
    ByteBuffer message = ByteBuffer.allocate(6).put((byte) 'Z').putInt(5).put((byte) 'I');
    return conversation.reply(message.flip());
  }

  @ParameterizedTest
  @CsvSource({
    "COMMIT, SUCCESS",
    "COMMIT PREPARED, SUCCESS",
    "PREPARE TRANSACTION, SUCCESS",
    "ROLLBACK, FAILURE",
    "ROLLBACK PREPARED, FAILURE",
    "INSERT 0 1, UNKNOWN"
  })
  void theTagSaysWhatBecameOfIt(String tag, Outcome outcome) {
    conversation.request(message('Q', "whatever was asked"));

    WireReply done = conversation.reply(message('C', tag));
    assertThat(done).isEqualTo(new WireReply(1, false, Outcome.UNKNOWN));
    assertThat(ready()).isEqualTo(new WireReply(1, true, outcome));
  }

  /** A transaction that failed before answers COMMIT with ROLLBACK, and not with an error. */
  @Test
  void aCommitThatRolledBackIsNoSuccessEvenIfAnotherWentBefore() {
    conversation.request(message('Q', "COMMIT; COMMIT"));
    conversation.reply(message('C', "COMMIT"));
    conversation.reply(message('C', "ROLLBACK"));

    assertThat(ready().outcome()).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void anErrorIsAFailureOfItsExchangeOnly() {
    conversation.request(message('Q', "COMMIT PREPARED 'x'"));
    conversation.reply(message('E', "SERROR"));
    assertThat(ready().outcome()).isEqualTo(Outcome.FAILURE);

    conversation.request(message('Q', "COMMIT"));
    conversation.reply(message('C', "COMMIT"));
    assertThat(ready()).isEqualTo(new WireReply(2, true, Outcome.SUCCESS));
  }

  @Test
  void aStatementIsAPointByItsFirstWord() {
    WireRequest query = conversation.request(message('Q', "commit prepared 'x'"));

    assertThat(query.type()).isEqualTo("Query");
    assertThat(query.point()).isEqualTo("Postgres.COMMIT");
    assertThat(query.exchange()).isEqualTo(1);
  }

  @Test
  void aServerThatRefusesToEncryptIsAskedInTheClear() {
    Conversation fresh = new PostgresFramer().open();
    assertThat(fresh.request(untyped(SSL_REQUEST)).type()).isEqualTo("EncryptionRequest");
    ByteBuffer refused = ByteBuffer.allocate(1).put((byte) 'N').flip();
    assertThat(fresh.replyLength(refused)).isEqualTo(1);
    assertThat(fresh.reply(refused).outcome()).isEqualTo(Outcome.UNKNOWN);

    assertThat(fresh.request(untyped(PROTOCOL_3)).type()).isEqualTo("Startup");
  }

  @Test
  void aMessageIsAsLongAsItSays() {
    ByteBuffer query = message('Q', "COMMIT");

    assertThat(conversation.requestLength(query)).isEqualTo(query.remaining());
    assertThat(conversation.requestLength(query.limit(4))).isEqualTo(Conversation.INCOMPLETE);
  }
}
