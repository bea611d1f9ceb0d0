package dev.twophase.file.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionId;
import dev.twophase.error.UnreadableStateException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.commons.io.IOUtils;
import org.junit.jupiter.api.Test;

/** The binary form of handles, fixed for ever by a golden file. */
class FileHandleTest {

  private static final TransactionId ID =
      new TransactionId("orders", 3, 17, new UUID(0x0123456789abcdefL, 0xfedcba9876543210L));

  private static final FileHandle HANDLE =
      new FileNames("part", ".txt")
          .handle(
              "/data/où ça",
              ID,
              List.of(
                  new PreparedFile("", 0, 1, 0x01020304),
                  new PreparedFile("land=Österreich/2026", 2, 5_000_000_000L, -1)),
              Optional.empty());

  private static final FileHandle WITH_MANIFEST =
      new FileNames("part", ".txt")
          .handle(
              "/data",
              ID,
              List.of(),
              Optional.of(
                  PreparedManifest.of(
                      new PreparedFile("_manifests/orders", 5, 66, 0x0a0b0c0d), "4." + ID, 4)));

  @Test
  void S1_version1IsReadAsInTheGoldenFile() throws Exception {
    assertThat(FileHandle.serializer().deserialize(1, golden("/file-handle-v1.hex")))
        .isEqualTo(HANDLE);
  }

  /** Its manifest goes where the release that prepared it may have put it already. */
  @Test
  void S1_version2IsReadAsInTheGoldenFileAndPublishesItsManifestWhereItDid() throws Exception {
    FileHandle read = FileHandle.serializer().deserialize(2, golden("/file-handle-v2.hex"));

    assertThat(read.files()).isEqualTo(WITH_MANIFEST.files());
    assertThat(read.manifest().orElseThrow().file())
        .isEqualTo(WITH_MANIFEST.manifest().orElseThrow().file());
    assertThat(read.manifest().orElseThrow().target(1_234))
        .isEqualTo("_manifests/orders/1234.4." + ID);
    FileHandle again =
        FileHandle.serializer().deserialize(4, FileHandle.serializer().serialize(read));
    assertThat(again).isEqualTo(read);
  }

  @Test
  void S1_version3IsReadAsInTheGoldenFileAndIsOfNoLine() throws Exception {
    FileHandle read = FileHandle.serializer().deserialize(3, golden("/file-handle-v3.hex"));

    assertThat(read).isEqualTo(WITH_MANIFEST);
    assertThat(read.hasLine()).isFalse();
  }

  @Test
  void S1_version4IsWrittenAndReadAsInTheGoldenFile() throws Exception {
    byte[] golden = golden("/file-handle-v4.hex");
    FileHandle handle = WITH_MANIFEST.ofLine(7);

    assertThat(FileHandle.serializer().getVersion()).isEqualTo(4);
    assertThat(HexFormat.of().formatHex(FileHandle.serializer().serialize(handle)))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(FileHandle.serializer().deserialize(4, golden)).isEqualTo(handle);
  }

  @Test
  void manifestsOfAThousandCheckpointsShareADirectoryOfManySubtasksFewer() {
    PreparedFile file = new PreparedFile("_manifests/orders", 0, 1, 1);

    assertThat(PreparedManifest.of(file, "1000.x", 1_000).target(2_999))
        .isEqualTo("_manifests/orders/2000-2999/2999.1000.x");
    assertThat(PreparedManifest.of(file, "32768.x", 32_768).target(3_000))
        .isEqualTo("_manifests/orders/3000-3009/3000.32768.x");
  }

  @Test
  void S1_aNewerVersionIsRejectedByName() {
    assertThatThrownBy(() -> FileHandle.serializer().deserialize(5, new byte[0]))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("version 5");
  }

  @Test
  void W2_theHandleNamesBothPlacesOfEachFile() {
    PreparedFile inBucket = HANDLE.files().get(1);

    assertThat(HANDLE.staged(inBucket))
        .isEqualTo(".twophase/orders/.orders.3.17.0123456789abcdeffedcba9876543210.2");
    assertThat(HANDLE.target(inBucket))
        .isEqualTo("land=Österreich/2026/part.orders.3.17.0123456789abcdeffedcba9876543210.2.txt");
    assertThat(HANDLE.target(HANDLE.files().get(0)))
        .isEqualTo("part.orders.3.17.0123456789abcdeffedcba9876543210.0.txt");
  }

  private static byte[] golden(String name) throws Exception {
    try (InputStream in = FileHandleTest.class.getResourceAsStream(name)) {
      String hex = IOUtils.toString(Objects.requireNonNull(in, name), "US-ASCII");
      return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }
  }
}
