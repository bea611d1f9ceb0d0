package dev.twophase.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.HandleSerializers;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** S1: state outlives releases. The golden files are never changed, only added to. */
class GoldenStateTest {

  private static final UUID NONCE = new UUID(0x0123456789abcdefL, 0xfedcba9876543210L);

  private static final PreparedTransaction<String> FULL =
      new PreparedTransaction<>(
          new TransactionId("orders", 3, 41, NONCE),
          42,
          1_700_000_000_000L,
          1_700_000_001_000L,
          7,
          Optional.of("part-α"),
          List.of(
              new Unfinished(new TransactionId("orders", 3, 40, NONCE), "token"),
              Unfinished.of(new TransactionId("orders", 7, 0, NONCE))));

  private static final PreparedTransaction<String> EMPTY =
      new PreparedTransaction<>(
          new TransactionId("orders", 0, 0, NONCE),
          PreparedTransaction.UNSTAMPED,
          5,
          5,
          0,
          Optional.empty(),
          List.of());

  private final PreparedTransactionSerializer<String> serializer =
      new PreparedTransactionSerializer<>(HandleSerializers.text());
  private final PreparedListSerializer<String> listSerializer =
      new PreparedListSerializer<>(HandleSerializers.text());
  private final WriterStateSerializer writerSerializer = new WriterStateSerializer();

  private static byte[] golden(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            GoldenStateTest.class.getResourceAsStream("/golden/" + name + ".hex"), name)) {
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }

  @Test
  void S1_preparedTransactionVersion1IsReadAndWrittenAsEver() throws IOException {
    assertThat(serializer.deserialize(1, golden("prepared-transaction-v1"))).isEqualTo(FULL);
    assertThat(serializer.deserialize(1, golden("prepared-transaction-v1-empty"))).isEqualTo(EMPTY);
    assertThat(HexFormat.of().formatHex(serializer.serialize(FULL)))
        .isEqualTo(HexFormat.of().formatHex(golden("prepared-transaction-v1")));
    assertThat(HexFormat.of().formatHex(serializer.serialize(EMPTY)))
        .isEqualTo(HexFormat.of().formatHex(golden("prepared-transaction-v1-empty")));
  }

  @Test
  void S1_writerStateVersion1IsReadAsOfAnUnknownLine() throws IOException {
    for (WriterState.Kind kind : WriterState.Kind.values()) {
      byte[] bytes = golden("writer-state-v1-" + kind.name().toLowerCase(Locale.ROOT));
      assertThat(writerSerializer.deserialize(1, bytes)).isEqualTo(new WriterState(kind, "orders"));
    }
  }

  @Test
  void S1_writerStateVersion2IsReadAndWrittenAsEver() throws IOException {
    assertThat(writerSerializer.getVersion()).isEqualTo(2);
    for (WriterState.Kind kind : WriterState.Kind.values()) {
      String name = "writer-state-v2-" + kind.name().toLowerCase(Locale.ROOT);
      WriterState unknown = new WriterState(kind, "orders");
      assertReadAndWritten(name + "-unknown-line", unknown);
      assertReadAndWritten(name, unknown.ofLine(OptionalLong.of(258)));
    }
  }

  private void assertReadAndWritten(String golden, WriterState state) throws IOException {
    assertThat(writerSerializer.deserialize(2, golden(golden))).isEqualTo(state);
    assertThat(writerSerializer.serialize(state)).isEqualTo(golden(golden));
  }

  @Test
  void R6_newestLineOfSeveralStatesCounts() {
    WriterState unknown = new WriterState(WriterState.Kind.SINK_V2, "orders");
    WriterState third = unknown.ofLine(OptionalLong.of(3));
    WriterState fifth = unknown.ofLine(OptionalLong.of(5));
    assertThat(WriterState.newestLine(lines(third, fifth, unknown))).hasValue(5);
    assertThat(WriterState.newestLine(lines(unknown))).isEmpty();
    assertThat(WriterState.newestLine(lines())).isEmpty();
    assertThatThrownBy(() -> unknown.ofLine(OptionalLong.of(0)))
        .hasMessageContaining("line() of sink 'orders' is 0");
  }

  @Test
  void S1_preparedListVersion1IsReadAndWrittenAsEver() throws IOException {
    assertThat(listSerializer.deserialize(1, golden("prepared-list-v1")))
        .containsExactly(FULL, EMPTY);
    assertThat(HexFormat.of().formatHex(listSerializer.serialize(List.of(FULL, EMPTY))))
        .isEqualTo(HexFormat.of().formatHex(golden("prepared-list-v1")));
  }

  @Test
  void S4_everyTruncationOfAPreparedListIsRejectedAsUnreadable() throws IOException {
    byte[] bytes = golden("prepared-list-v1");
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = java.util.Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> listSerializer.deserialize(1, truncated))
          .as("%s of %s bytes", length, bytes.length)
          .isInstanceOf(UnreadableStateException.class);
    }
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> listSerializer.deserialize(1, longer))
        .hasMessageContaining("1 bytes too many");
    assertThatThrownBy(() -> listSerializer.deserialize(2, bytes))
        .hasMessageContaining("list of prepared transactions of format version 2");
  }

  @Test
  void S1_newerVersionIsRejectedByName() {
    assertThatThrownBy(() -> serializer.deserialize(2, golden("prepared-transaction-v1")))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("prepared transaction of format version 2")
        .hasMessageContaining("reads versions 1 to 1");
    assertThatThrownBy(() -> writerSerializer.deserialize(9, new byte[0]))
        .hasMessageContaining("writer state of format version 9");
    assertThatThrownBy(() -> HandleSerializers.text().deserialize(2, new byte[4]))
        .hasMessageContaining("handle of format version 2");
  }

  @Test
  void S4_everyTruncationAndEveryFlippedLengthIsRejectedAsUnreadable() throws IOException {
    byte[] bytes = golden("prepared-transaction-v1");
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = java.util.Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> serializer.deserialize(1, truncated))
          .as("%s of %s bytes", length, bytes.length)
          .isInstanceOf(UnreadableStateException.class);
    }
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> serializer.deserialize(1, longer))
        .hasMessageContaining("1 bytes too many");
  }

  @Test
  void S5_stateOfTheOtherAdapterOrAnotherSinkIsRefused() {
    WriterState state = new WriterState(WriterState.Kind.FUNCTION, "orders");
    state.checkRestoredBy(WriterState.Kind.FUNCTION, "orders");
    assertThatThrownBy(() -> state.checkRestoredBy(WriterState.Kind.SINK_V2, "orders"))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("that of a TransactionalSinkFunction")
        .hasMessageContaining("new uid");
    assertThatThrownBy(() -> state.checkRestoredBy(WriterState.Kind.FUNCTION, "payments"))
        .hasMessageContaining("that of sink 'orders'");
  }

  private static Stream<OptionalLong> lines(WriterState... states) {
    return Stream.of(states).map(WriterState::line);
  }
}
