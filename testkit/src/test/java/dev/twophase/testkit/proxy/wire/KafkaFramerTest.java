package dev.twophase.testkit.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.proxy.wire.MessageFramer.Conversation;
import dev.twophase.testkit.proxy.wire.WireReply.Outcome;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaFramerTest {

  private static final int PRODUCE = 0;
  private static final int INIT_PRODUCER_ID = 22;
  private static final int END_TXN = 26;
  private static final int CONCURRENT_TRANSACTIONS = 51;

  private final Conversation conversation = new KafkaFramer().open();

  private static ByteBuffer framed(ByteBuffer body) {
    body.flip();
    ByteBuffer whole = ByteBuffer.allocate(4 + body.remaining());
    return whole.putInt(body.remaining()).put(body).flip();
  }

  private WireRequest asks(int api, int version, int correlation) {
    ByteBuffer body = ByteBuffer.allocate(64);
    body.putShort((short) api).putShort((short) version).putInt(correlation).putShort((short) -1);
    return conversation.request(framed(body));
  }

  /** A flexible version has tagged fields in its header, of which there are none. */
  private WireReply answers(int correlation, boolean flexible, int error) {
    ByteBuffer body = ByteBuffer.allocate(64).putInt(correlation);
    if (flexible) {
      body.put((byte) 0);
    }
    return conversation.reply(framed(body.putInt(250).putShort((short) error)));
  }

  @ParameterizedTest
  @CsvSource({
    END_TXN + ", 2, false, 0, SUCCESS",
    END_TXN + ", 2, false, " + CONCURRENT_TRANSACTIONS + ", FAILURE",
    END_TXN + ", 3, true, 0, SUCCESS",
    END_TXN + ", 3, true, " + CONCURRENT_TRANSACTIONS + ", FAILURE",
    INIT_PRODUCER_ID + ", 1, false, 0, SUCCESS",
    INIT_PRODUCER_ID + ", 1, false, " + CONCURRENT_TRANSACTIONS + ", FAILURE",
    INIT_PRODUCER_ID + ", 2, true, 0, SUCCESS",
    INIT_PRODUCER_ID + ", 2, true, " + CONCURRENT_TRANSACTIONS + ", FAILURE",
    PRODUCE + ", 7, false, 0, UNKNOWN"
  })
  void onlyAReplyWithoutAnErrorIsASuccess(
      int api, int version, boolean flexible, int error, Outcome outcome) {
    asks(api, version, 9);

    assertThat(answers(9, flexible, error)).isEqualTo(new WireReply(9, true, outcome));
  }

  @Test
  void repliesAreToldByTheirNumberAndNotByTheirOrder() {
    asks(END_TXN, 3, 1);
    asks(PRODUCE, 9, 2);

    assertThat(answers(2, true, 0).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(answers(1, true, CONCURRENT_TRANSACTIONS).outcome()).isEqualTo(Outcome.FAILURE);
    assertThat(answers(1, true, 0).outcome()).as("answered before").isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void whatChangesSomethingIsAPoint() {
    WireRequest request = asks(END_TXN, 3, 4);

    assertThat(request).hasToString("EndTxn v3 #4");
    assertThat(request.point()).isEqualTo("Kafka.EndTxn");
    assertThat(asks(3, 12, 5).point()).as("Metadata").isEmpty();
    assertThat(asks(999, 0, 6).type()).isEqualTo("Api999");
  }

  @Test
  void aMessageIsAsLongAsItSays() {
    ByteBuffer bytes = ByteBuffer.allocate(9).putInt(77).putInt(5).put((byte) 1).flip();
    bytes.position(4);

    assertThat(conversation.requestLength(bytes)).isEqualTo(9);
    assertThat(conversation.replyLength(bytes)).isEqualTo(9);
    assertThat(conversation.requestLength(bytes.limit(7))).isEqualTo(Conversation.INCOMPLETE);
  }
}
