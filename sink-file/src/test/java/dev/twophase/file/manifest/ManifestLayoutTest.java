package dev.twophase.file.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionalConnector;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.upkeep.SavedTransactions;
import dev.twophase.file.upkeep.SinkDirectory;
import dev.twophase.file.upkeep.StagedFile;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neither manifests nor the marks beside them fill one directory, however long a job runs. */
class ManifestLayoutTest {

  private static final int SPAN = 1_000;

  @TempDir Path root;

  @Test
  void V1_manifestsOfManyCheckpointsAreSpreadAndReadInTheirOrder() throws Exception {
    try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink(), "orders", 0, 1)) {
      for (int checkpoint : List.of(1, SPAN - 1, SPAN, 3 * SPAN)) {
        only.commit(only.prepare(checkpoint - 1, "a:" + checkpoint), checkpoint);
      }
    }

    assertThat(names("_manifests/orders")).containsExactly("0-999", "1000-1999", "3000-3999");
    assertThat(names("_manifests/orders/0-999")).hasSize(2);
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(lines(reader)).containsExactly("a:1", "a:999", "a:1000", "a:3000");
    assertThat(reader.latestCheckpoint()).hasValue(3 * SPAN);
  }

  /** As a release before this layout had left it, which a golden file holds. */
  @Test
  void V1_theLayoutOfFormerReleasesIsReadAndGoneOnFrom() throws Exception {
    unpack("/manifests-flat.txt");
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(lines(reader)).containsExactly("a:10", "a:11", "a:20");

    try (DrivenConnector<String, ?, ?> first = Sinks.writerOfJob("j", sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writerOfJob("j", sink(), "orders", 1)) {
      first.commit(first.prepare(2, "b:30"), 3);
      assertThat(reader.latestCheckpoint()).hasValue(2);
      second.commit(second.prepare(2), 3);
    }
    assertThat(reader.latestCheckpoint()).hasValue(3);
    assertThat(lines(reader)).containsExactly("b:30");
    assertThat(ManifestReader.of(root, "orders").readAll()).hasSize(4);
  }

  /** Which outlives the directory that held its last part. */
  @Test
  void E1_whoHasEndedIsNotWaitedForAfterOldManifestsWereMovedAwayUnlessThatIsRetired(
      @TempDir Path elsewhere) throws Exception {
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (DrivenConnector<String, ?, ?> first = Sinks.writerOfJob("j", sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writerOfJob("j", sink(), "orders", 1)) {
      first.connector().endOfInput();
      first.commit(first.prepare(0, "a:1"), 1);
      second.commit(second.prepare(0, "a:2"), 1);
      second.commit(second.prepare(SPAN, "a:3"), SPAN + 1);
      assertThat(lines(reader)).containsExactly("a:1", "a:2", "a:3");

      Files.move(root.resolve("_manifests/orders/0-999"), elsewhere.resolve("0-999"));
      second.commit(second.prepare(SPAN + 1, "a:4"), SPAN + 2);
    }
    assertThat(lines(reader)).containsExactly("a:4");
    assertThat(ManifestReader.of(root, "orders").latestCheckpoint()).hasValue(SPAN + 2);

    assertThat(names(".twophase/orders.runs")).anyMatch(name -> name.endsWith(".end"));
    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      upkeep.retirePublishedSince(0);
    }
    assertThat(names(".twophase/orders.runs")).noneMatch(name -> name.endsWith(".end"));
  }

  @Test
  void R2_theCollectorAndRetiringFindTheManifestsOfBothLayouts() throws Exception {
    unpack("/manifests-flat.txt");
    Path former = root.resolve(".twophase/orders/.orders.0.1." + "0".repeat(31) + "1.0");
    Files.createDirectories(former.getParent());
    Files.writeString(former, "a:20\n");
    Path latter;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writerOfJob("j", sink(), "orders", 0)) {
      Prepared prepared = writer.prepare(2, "b:30");
      latter =
          Sinks.hidden(root).stream()
              .filter(path -> path.startsWith(".twophase/orders") && path.toString().endsWith(".0"))
              .map(root::resolve)
              .filter(path -> !path.equals(former))
              .findFirst()
              .orElseThrow();
      writer.commit(prepared, 3);
      Files.writeString(latter, "b:30\n");
    }

    try (SinkDirectory upkeep = SinkDirectory.of(root, "orders")) {
      assertThat(upkeep.removeOrphans(SavedTransactions.none()))
          .extracting(StagedFile::reason)
          .containsExactly(StagedFile.Reason.PUBLISHED, StagedFile.Reason.PUBLISHED);
      assertThat(former).doesNotExist();
      assertThat(latter).doesNotExist();
      assertThat(upkeep.retirePublishedSince(1))
          .filteredOn(path -> path.startsWith("_manifests"))
          .hasSize(3);
    }
    assertThat(lines(ManifestReader.of(root, "orders"))).containsExactly("a:10", "a:11");
  }

  @Test
  void R4_restartsOfOneJobLeaveNoMoreThanAFewMarks() throws Exception {
    int most = 0;
    ManifestReader reader = ManifestReader.of(root, "orders");
    for (int restored = 0; restored < 12; restored++) {
      try (DrivenConnector<String, ?, ?> first = Sinks.writerOfJob("j", sink(), "orders", 0);
          DrivenConnector<String, ?, ?> second = Sinks.writerOfJob("j", sink(), "orders", 1)) {
        Prepared records = first.prepare(restored, "a:1");
        Prepared others = second.prepare(restored, "a:2");
        most = Math.max(most, names(".twophase/orders.runs").size());
        first.commit(records, restored + 1);
        assertThat(reader.readNew()).as("half a checkpoint").isEmpty();
        second.commit(others, restored + 1);
        assertThat(reader.readNew()).hasSize(2);
      }
    }
    assertThat(most).isEqualTo(2 * 4);
    assertThat(names(".twophase/orders.runs")).contains("1.2.0.0", "1.2.1.0");
  }

  private List<String> names(String directory) throws IOException {
    try (Stream<Path> entries = Files.list(root.resolve(directory))) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static List<String> lines(ManifestReader reader) throws IOException {
    return Sinks.lines(reader, reader.readNew());
  }

  /** A line {@code == PATH} before each file's content. */
  private void unpack(String resource) throws IOException {
    try (InputStream in = ManifestLayoutTest.class.getResourceAsStream(resource)) {
      String text =
          new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
      for (String file : text.substring("== ".length()).split("(?m)^== ", -1)) {
        int end = file.indexOf('\n');
        Path path = root.resolve(file.substring(0, end));
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.substring(end + 1));
      }
    }
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return TransactionalFileSink.forLines(root)
        .name("orders")
        .manifests()
        .bucketAssigner(new Sinks.BeforeColon())
        .buildConnector();
  }
}
