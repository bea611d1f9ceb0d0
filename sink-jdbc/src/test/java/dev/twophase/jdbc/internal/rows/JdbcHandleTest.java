package dev.twophase.jdbc.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.UnreadableStateException;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdbcHandleTest {

  private static final Object[] VALUES = {
    null,
    true,
    7,
    -8L,
    1.5,
    2.5f,
    (short) 3,
    (byte) 4,
    new BigDecimal("12.30"),
    "é\t😀",
    new byte[] {1, 2},
    LocalDate.of(2026, 11, 29),
    LocalTime.of(18, 30),
    LocalDate.of(2026, 11, 29).atTime(18, 30, 1, 2),
    OffsetDateTime.parse("2026-11-29T18:30:00+05:30"),
    new UUID(1, 2),
    new Object[] {1L, "x", null}
  };

  private static JdbcHandle handle() {
    RowBuffer buffer = new RowBuffer(true, 1 << 20, RowLimit.own());
    buffer.beginRow(RowBuffer.WRITE, VALUES.length);
    Arrays.stream(VALUES).forEach(buffer::value);
    buffer.endRow();
    buffer.beginRow(RowBuffer.DELETE, 1);
    buffer.value(9L);
    buffer.endRow();
    return new JdbcHandle(
        new Target(Operation.UPSERT, "shop", "orders", List.of("id", "amount"), 1, ""),
        5,
        3,
        17,
        41,
        0x0102030405060708L,
        40,
        6,
        buffer.takeAll());
  }

  private static byte[] golden(int version) throws IOException {
    String name = "/jdbc-handle-v" + version + ".hex";
    try (InputStream in = JdbcHandleTest.class.getResourceAsStream(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }
  }

  @Test
  void S1_version4IsWrittenAsEver() throws IOException {
    assertThat(HexFormat.of().formatHex(JdbcHandle.serializer().serialize(handle())))
        .isEqualTo(HexFormat.of().formatHex(golden(4)));
  }

  /**
   * The first one does not name its ledger, the second the transaction before, the third the line.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 0, -2, 0",
    "2, 72623859790382856, -2, 0",
    "3, 72623859790382856, 40, 0",
    "4, 72623859790382856, 40, 6"
  })
  void S1_eachVersionIsReadAsEver(int version, long ledger, long previous, long line)
      throws IOException {
    JdbcHandle read = JdbcHandle.serializer().deserialize(version, golden(version));

    assertThat(read.ledger()).isEqualTo(ledger);
    assertThat(read.previous()).isEqualTo(previous);
    assertThat(read.line()).isEqualTo(line);

    assertThat(read.target()).isEqualTo(handle().target());
    assertThat(List.of(read.rows(), read.base(), read.firstSince())).containsExactly(5L, 17L, 41L);
    assertThat(read.stagedBlocks()).isEqualTo(3);
    RowReader rows = new RowReader(read.blocks().get(0));
    assertThat(rows.next()).isTrue();
    assertThat(rows.operation()).isEqualTo(RowBuffer.WRITE);
    assertThat(Arrays.deepToString(rows.readValues())).isEqualTo(Arrays.deepToString(VALUES));
    assertThat(rows.next()).isTrue();
    assertThat(rows.operation()).isEqualTo(RowBuffer.DELETE);
    assertThat(rows.readValues()).containsExactly(9L);
    assertThat(rows.next()).isFalse();
  }

  @Test
  void S1_aNewerVersionIsRejectedByName() {
    assertThatThrownBy(() -> JdbcHandle.serializer().deserialize(5, golden(4)))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("version 5");
  }

  @Test
  void S1_theStateOfTheOtherModeIsRejectedByName() throws IOException {
    byte[] xa = XaHandle.serializer().serialize(new XaHandle(true, handle()));
    int version = XaHandle.serializer().getVersion();

    assertThat(XaHandle.serializer().deserialize(version, xa).rows().rows()).isEqualTo(5);
    assertThatThrownBy(() -> JdbcHandle.serializer().deserialize(version, xa))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("in mode XA, and this one is in mode LEDGER");
    assertThatThrownBy(() -> XaHandle.serializer().deserialize(2, golden(2)))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("in mode LEDGER, and this one is in mode XA");
  }

  @Test
  void S4_aDamagedHandleIsRejected() throws IOException {
    byte[] damaged = golden(2);
    damaged[0] = 99;
    assertThatThrownBy(() -> JdbcHandle.serializer().deserialize(2, damaged))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("operation 99");
  }

  @Test
  void S1_aRowThatCouldNotBeReadAgainIsRefusedWhenItIsWritten() {
    RowBuffer buffer = new RowBuffer(true, 100, RowLimit.atMost(1_000, ""));
    buffer.beginRow(RowBuffer.WRITE, 1);
    buffer.value(new byte[1_000]);

    assertThatThrownBy(buffer::endRow)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000 is the most");
  }

  @Test
  void aBlockEndsBeforeARowThatDoesNotFit() {
    RowBuffer buffer = new RowBuffer(true, 100, RowLimit.own());
    for (int bytes : new int[] {60, 60, 300, 10, 20}) {
      buffer.beginRow(RowBuffer.WRITE, 1);
      buffer.value(new byte[bytes]);
      buffer.endRow();
    }

    assertThat(buffer.takeAll()).extracting(block -> block.length).containsExactly(70, 70, 310, 50);
    assertThat(buffer.bytes()).isZero();
  }
}
