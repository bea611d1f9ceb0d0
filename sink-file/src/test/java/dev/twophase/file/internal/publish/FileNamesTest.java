package dev.twophase.file.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names are told apart by parsing. */
class FileNamesTest {

  private static final String NONCE = "0123456789abcdeffedcba9876543210";

  @ParameterizedTest
  @CsvSource({"part,.txt", "'',''", "'',-é.csv.gz", "orders,.orders.1.2", "eu-orders,' x'"})
  void W6_whatIsPublishedIsReadBackWithAnyPrefixAndSuffix(String prefix, String suffix) {
    TransactionId id = new TransactionId("orders", 11, 17, UUID.randomUUID());
    PreparedFile file = new PreparedFile("", 4, 1, 0);
    FileHandle handle =
        new FileNames(prefix, suffix).handle("/", id, List.of(file), Optional.empty());

    assertThat(FileNames.transactionOfPublished(handle.target(file), "orders")).contains(id);
    assertThat(FileNames.transactionOfPublished(handle.target(file), "eu-orders")).isEmpty();
    assertThat(FileNames.transactionOfPublished(handle.target(file), "order")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part.orders.1.2." + NONCE,
        "part.orders.1.2." + NONCE + ".x",
        "part.orders.1.x." + NONCE + ".0",
        "part.orders-eu.1.2." + NONCE + ".0",
        "part.x.orders.1.2." + NONCE + ".0",
        "xorders.1.2." + NONCE + ".0",
        "readme.txt"
      })
  void R6_foreignNamesAreNobodysTransactions(String name) {
    assertThat(FileNames.transactionOfPublished(name, "orders")).isEqualTo(Optional.empty());
  }

  @Test
  void A1_stagedNamesAreReadExactly() {
    TransactionId id = new TransactionId("orders", 1, 2, UUID.randomUUID());
    String name = FileNames.staged(id, 7).substring(".twophase/orders/".length());

    assertThat(FileNames.transactionOfStaged(name, "orders")).contains(id);
    assertThat(FileNames.transactionOfStaged(name, "orders-eu")).isEmpty();
    assertThat(FileNames.transactionOfStaged(name + "x", "orders")).isEmpty();
    assertThat(FileNames.transactionOfStaged("", "orders")).isEmpty();
    assertThat(FileNames.transactionOfStaged(".", "orders")).isEmpty();
  }
}
