package dev.twophase.kafka.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.UnreadableStateException;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.Place;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The binary form of handles, fixed for ever by a golden file. */
class KafkaHandleTest {

  private static final KafkaHandle HANDLE = handle(new Place(15, 17, OptionalLong.of(3)));

  private static KafkaHandle handle(Place place) {
    return new KafkaHandle(
        new Facts(
            "orders/3/0123456789abcdeffedcba9876543210/1",
            5_000_000_000L,
            (short) 7,
            2,
            place,
            Optional.of(new Witness("orders", 2, 6_000_000_000L, 0x01020304)),
            Map.of("orders", new TreeSet<>(List.of(0, 2)), "audit", new TreeSet<>(List.of(0)))),
        null);
  }

  @Test
  void S1_version1IsReadAsInTheGoldenFileAndNamesNoLine() throws Exception {
    assertThat(KafkaHandle.serializer().deserialize(1, golden("/kafka-handle-v1.hex")))
        .isEqualTo(handle(new Place(17, 17, OptionalLong.empty())));
  }

  @Test
  void S1_version2IsWrittenAndReadAsInTheGoldenFile() throws Exception {
    byte[] golden = golden("/kafka-handle-v2.hex");

    assertThat(KafkaHandle.serializer().getVersion()).isEqualTo(2);
    assertThat(HexFormat.of().formatHex(KafkaHandle.serializer().serialize(HANDLE)))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(KafkaHandle.serializer().deserialize(2, golden)).isEqualTo(HANDLE);
  }

  @Test
  void S1_aHandleWithoutWitnessAndLineSurvives() throws Exception {
    Facts facts = HANDLE.facts();
    KafkaHandle bare =
        new KafkaHandle(
            new Facts(
                facts.transactionalId(),
                1,
                (short) 0,
                1,
                new Place(0, 0, OptionalLong.empty()),
                Optional.empty(),
                facts.partitions()),
            null);

    byte[] bytes = KafkaHandle.serializer().serialize(bare);

    assertThat(KafkaHandle.serializer().deserialize(2, bytes)).isEqualTo(bare);
  }

  @Test
  void S1_aNewerVersionIsRejectedByName() {
    assertThatThrownBy(() -> KafkaHandle.serializer().deserialize(3, new byte[0]))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("version 3");
  }

  @Test
  void S1_theHashOfAWitnessTellsKeyFromValueAndNullFromEmptyAndNeverChanges() {
    byte[] text = "ab".getBytes(StandardCharsets.UTF_8);
    assertThat(
            List.of(
                Witness.hash(text, null),
                Witness.hash(null, text),
                Witness.hash(text, new byte[0]),
                Witness.hash(null, null),
                Witness.hash(new byte[0], null)))
        .doesNotHaveDuplicates();
    assertThat(Witness.hash(null, text)).isEqualTo(0xa353f316);
  }

  private static byte[] golden(String name) throws Exception {
    try (InputStream in = KafkaHandleTest.class.getResourceAsStream(name)) {
      String hex =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }
  }
}
