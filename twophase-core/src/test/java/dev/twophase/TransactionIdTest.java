package dev.twophase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionIdTest {

  private static final UUID NONCE = new UUID(1, 0xff00000000000000L);

  @Test
  void textFormIsStableAndReadBack() {
    TransactionId id = new TransactionId("orders-eu", 11, 1234567890123L, NONCE);
    assertThat(id).hasToString("orders-eu.11.1234567890123.0000000000000001ff00000000000000");
    assertThat(TransactionId.parse(id.toString())).contains(id);
  }

  @Test
  void W6_idsOfNamesThatShareAPrefixAreToldApart() {
    String text = new TransactionId("orders-eu", 1, 0, NONCE).toString();
    assertThat(TransactionId.parse(text).orElseThrow().sinkName()).isEqualTo("orders-eu");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "orders",
        "orders.1.2",
        "orders.1.2.3",
        "orders.-1.2.0000000000000001ff00000000000000",
        "orders.1.2.0000000000000001FF00000000000000",
        "orders.9999999999.2.0000000000000001ff00000000000000",
        "orders.12345678901.2.0000000000000001ff00000000000000",
        "orders.1.9999999999999999999.0000000000000001ff00000000000000",
        "orders.1.12345678901234567890.0000000000000001ff00000000000000",
        "orders..2.0000000000000001ff00000000000000",
        "orders.1..0000000000000001ff00000000000000",
        "orders.1.0000000000000001ff00000000000000",
        "orders.1.2.3.0000000000000001ff00000000000000",
        "orders.1.2.0000000000000001ff0000000000000",
        "orders.1.2.00000000000000001ff00000000000000",
        ".1.2.0000000000000001ff00000000000000",
        "0000000000000001ff00000000000000",
        ".0000000000000001ff00000000000000",
        "../x.1.2.0000000000000001ff00000000000000",
        "orders.1.2.0000000000000001ff00000000000000.tmp"
      })
  void foreignTextIsNotAnId(String text) {
    assertThat(TransactionId.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a/b", "..", "-a", "ä", "a b", "a\n"})
  void invalidSinkNamesAreRefusedNamingWhatIsAllowed(String name) {
    assertThatThrownBy(() -> TransactionId.checkSinkName(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'")
        .hasMessageContaining("letters, digits");
  }

  @Test
  void tooLongSinkNameIsRefused() {
    assertThatThrownBy(() -> TransactionId.checkSinkName("x".repeat(101)))
        .hasMessageContaining("1 to 100");
    assertThat(TransactionId.checkSinkName("x".repeat(100))).hasSize(100);
  }
}
