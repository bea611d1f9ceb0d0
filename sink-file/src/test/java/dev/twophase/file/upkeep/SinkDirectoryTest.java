package dev.twophase.file.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.BucketMarker;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.file.upkeep.StagedFile.Reason;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is collected and what is retired, and above all what is not. */
class SinkDirectoryTest {

  @TempDir Path root;
  @TempDir Path elsewhere;

  @Test
  void R2_whatIsInASavepointStaysAndWhatIsInNoneGoes() throws Exception {
    Prepared kept;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink("orders"), "orders")) {
      kept = writer.prepare(1, "a:1");
      writer.prepare(2, "a:2", "b:3");
    }
    SavedTransactions saved = SavedTransactions.in(savepoint(kept), "orders");
    assertThat(saved.ids()).containsExactly(kept.id());
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThat(directory.removeOrphans(saved)).hasSize(2);
      assertThat(directory.findOrphans(saved)).isEmpty();
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink("orders"), "orders")) {
      assertThat(committer.commit(kept)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sinks.lines(root)).containsExactly("a:1");
    assertThat(Sinks.hidden(root)).isEmpty();
  }

  @Test
  void aMisspeltNameIsNotTakenForASinkWithNothingToDo() throws Exception {
    for (String name : List.of("orders", "orders-eu")) {
      try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(name), name)) {
        writer.commit(writer.prepare(0, "a:1"));
      }
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "ordres")) {
      List<ThrowingCallable> all =
          List.of(
              () -> directory.findOrphans(SavedTransactions.none()),
              () -> directory.removeOrphans(SavedTransactions.none()),
              () -> directory.findPublishedSince(0),
              () -> directory.retirePublishedSince(0),
              directory::retired);
      for (ThrowingCallable each : all) {
        assertThatThrownBy(each)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("No sink 'ordres' has written in " + root)
            .hasMessageContaining("'orders', 'orders-eu' have. Check the directory and the sink's");
      }
    }
    assertThat(root.resolve(".twophase/ordres.owner")).as("nothing is left").doesNotExist();
  }

  @Test
  void R6_aNegativeCheckpointIsRefusedAndNothingRetired() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink("orders"), "orders")) {
      writer.commit(writer.prepare(0, "a:1"));
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThatThrownBy(() -> directory.retirePublishedSince(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("checkpointId is -1");
    }
    assertThat(Sinks.lines(root)).containsExactly("a:1");
  }

  @Test
  void R2_theDryRunSaysWhatWouldGoAndTouchesNothing() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
            Sinks.writerOfJob("j1", sink("orders"), "orders", 0);
        SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      Prepared prepared = writer.prepare(1, "a:12");
      List<Path> before = Sinks.hidden(root);

      List<StagedFile> orphans = directory.findOrphans(SavedTransactions.none());

      assertThat(orphans)
          .containsExactly(
              new StagedFile(before.get(0).toString(), 5, prepared.id(), Reason.IN_NO_STATE));
      assertThat(Sinks.hidden(root)).isEqualTo(before);
      assertThat(writer.prepare(2, "a:2")).as("the job goes on").isNotNull();
    }
  }

  @Test
  void A1_subtask1And11AndOtherSinksOfTheDirectoryAreToldApart() throws Exception {
    List<Prepared> kept = new ArrayList<>();
    try (DrivenConnector<String, ?, ?> one = Sinks.writer(sink("orders"), "orders", 1);
        DrivenConnector<String, ?, ?> eleven = Sinks.writer(sink("orders"), "orders", 11);
        DrivenConnector<String, ?, ?> other = Sinks.writer(sink("orders-eu"), "orders-eu", 1)) {
      one.prepare(1, "a:1");
      kept.add(eleven.prepare(1, "a:2"));
      kept.add(other.prepare(1, "a:3"));
    }
    Files.writeString(root.resolve(".twophase/orders/.orders.1.notes"), "somebody's");
    SavedTransactions saved = SavedTransactions.in(savepoint(kept.get(0)), "orders");
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThat(directory.removeOrphans(saved))
          .extracting(file -> file.transaction().subtask())
          .containsExactly(1);
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink("orders"), "orders");
        DrivenConnector<String, ?, ?> others = Sinks.committer(sink("orders-eu"), "orders-eu")) {
      assertThat(committer.commit(kept.get(0))).isEqualTo(CommitOutcome.committed());
      assertThat(others.commit(kept.get(1))).isEqualTo(CommitOutcome.committed());
    }
    assertThat(root.resolve(".twophase/orders/.orders.1.notes")).exists();
  }

  @Test
  void R2_whatAManifestShowsAsPublishedIsALeftoverAlsoIfASavepointHoldsIt() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(withManifests(), "orders")) {
      prepared = writer.prepare(1, "a:1");
      Path staged = Sinks.hidden(root).get(0);
      byte[] content = Files.readAllBytes(root.resolve(staged));
      writer.commit(prepared, 2);
      Files.write(root.resolve(staged), content);
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThat(directory.removeOrphans(SavedTransactions.in(savepoint(prepared), "orders")))
          .extracting(StagedFile::reason)
          .containsExactly(Reason.PUBLISHED);
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(withManifests(), "orders")) {
      assertThat(committer.commit(prepared, 2)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(Sinks.hidden(root)).isEmpty();
  }

  @Test
  void R6_aJobThatRunsAllTheSameStopsBeforeItLosesAnything() throws Exception {
    try (DrivenConnector<String, ?, ?> running =
            Sinks.writerOfJob("j1", sink("orders"), "orders", 0);
        SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      Object open = running.begin(0, "a:1");
      directory.removeOrphans(SavedTransactions.none());

      assertThatThrownBy(() -> preCommit(running, open))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("by job upkeep-");
    }
    try (DrivenConnector<String, ?, ?> next =
        Sinks.writerOfJob("j2", sink("orders"), "orders", 0)) {
      assertThat(next.prepare(0, "a:1")).isNotNull();
    }
  }

  @Test
  void S4_whatIsNoSavepointOfTheSinkOrCannotBeSearchedIsRefused() throws Exception {
    assertThatThrownBy(() -> SavedTransactions.in(elsewhere, "orders"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no _metadata");
    Files.writeString(elsewhere.resolve("_metadata"), "\0\6orders");
    assertThatThrownBy(() -> SavedTransactions.in(elsewhere, "orders"))
        .hasMessageContaining("cannot be read as a savepoint");
    Savepoints.write(elsewhere, "orders", "");
    byte[] whole = Files.readAllBytes(elsewhere.resolve("_metadata"));
    Files.write(elsewhere.resolve("_metadata"), Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> SavedTransactions.in(elsewhere, "orders"))
        .hasMessageContaining("_metadata ends in the middle of a savepoint");
    Savepoints.write(elsewhere, "orders2", "");
    assertThatThrownBy(() -> SavedTransactions.in(elsewhere, "orders"))
        .hasMessageContaining("no state of sink 'orders'");
    for (int version = 1; version <= 2; version++) {
      Savepoints.write(elsewhere, "orders", "", version);
      assertThat(SavedTransactions.in(elsewhere, "orders").ids()).isEmpty();
    }
    Savepoints.write(elsewhere, "orders", "......sNaPpY....");
    assertThatThrownBy(() -> SavedTransactions.in(elsewhere, "orders"))
        .hasMessageContaining("snapshot-compression");
  }

  @Test
  void E3_aFileInPlaceOfTheDirectoryIsRefusedWithTheRemedy() throws Exception {
    Path file = Files.writeString(elsewhere.resolve("part"), "x");
    for (ThrowingCallable opening :
        List.<ThrowingCallable>of(
            () -> ManifestReader.of(file, "orders"),
            () -> ManifestReader.of(file.toUri(), "orders", Map.of()),
            () -> SinkDirectory.of(file, "orders"),
            () -> SinkDirectory.of(file.toUri(), "orders", Map.of()))) {
      assertThatThrownBy(opening)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("directory is " + file + ", a file: name the directory");
    }
  }

  @Test
  void R2_theSavepointOfASinkWhoseNameEndsAlikeIsRefused() throws Exception {
    Prepared others;
    try (DrivenConnector<String, ?, ?> eu = Sinks.writer(sink("eu-orders"), "eu-orders")) {
      others = eu.prepare(1, "a:1");
    }
    Savepoints.write(elsewhere, "eu-orders", others);
    assertThat(SavedTransactions.in(elsewhere, "eu-orders").ids()).containsExactly(others.id());
    assertThatThrownBy(() -> SavedTransactions.in(elsewhere, "orders"))
        .hasMessageContaining("no state of sink 'orders'");
  }

  @Test
  void R6_whatIsRetiredIsSeenNoMoreAndTheCheckpointBeforeItIsNoRewind() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(withManifests(), "orders", 0);
        DrivenConnector<String, ?, ?> other = Sinks.writer(withManifests(), "orders", 1);
        DrivenConnector<String, ?, ?> foreign = Sinks.writer(sink("orders-eu"), "orders-eu")) {
      for (int checkpoint = 0; checkpoint < 4; checkpoint++) {
        writer.commit(writer.prepare(checkpoint, "a:" + checkpoint), checkpoint + 1);
        other.commit(other.prepare(checkpoint), checkpoint + 1);
        foreign.commit(foreign.prepare(checkpoint, "eu:" + checkpoint));
      }
      assertThat(writer.connector().committedSince(2)).isPresent();
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      List<String> found = directory.findPublishedSince(2);
      assertThat(found).hasSize(2 + 4).allSatisfy(path -> assertThat(root.resolve(path)).exists());

      assertThat(directory.retirePublishedSince(2)).isEqualTo(found);

      assertThat(directory.findPublishedSince(2)).isEmpty();
      assertThat(directory.retired()).containsExactlyInAnyOrderElementsOf(found);
      assertThat(found)
          .allSatisfy(
              path -> {
                assertThat(root.resolve(path)).doesNotExist();
                assertThat(root.resolve(".twophase/orders.retired").resolve(path)).exists();
              });
      assertThat(directory.retirePublishedSince(2)).isEmpty();
    }
    try (DrivenConnector<String, ?, ?> restored = Sinks.writer(withManifests(), "orders")) {
      assertThat(restored.connector().committedSince(2)).isEmpty();
      assertThat(restored.connector().committedSince(1)).isPresent();
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(reader.readAll()).hasSize(2);
    try (SinkDirectory others = SinkDirectory.of(root, "orders-eu")) {
      assertThat(others.findPublishedSince(0)).hasSize(4);
      assertThat(others.retired()).isEmpty();
    }
  }

  @Test
  void R6_whatIsRetiredIsFoundThroughADirectoryThatIsALinkAndBucketsThatAre() throws Exception {
    Path link = Files.createSymbolicLink(elsewhere.resolve("link"), root);
    Files.createDirectory(root.resolve("real"));
    Files.createSymbolicLink(root.resolve("a"), Path.of("real"));
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(link)
            .name("orders")
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      writer.commit(writer.prepare(0, "a:1", "b:2"));
      writer.commit(writer.prepare(1, "a:3", "b:4"));
    }
    try (SinkDirectory directory = SinkDirectory.of(link, "orders")) {
      assertThat(directory.retirePublishedSince(1)).hasSize(2);
    }
    assertThat(Sinks.lines(root.resolve("real"))).containsExactly("a:1");
    assertThat(Sinks.lines(root.resolve("b"))).containsExactly("b:2");
  }

  @Test
  void R6_aJobThatIsStartedAnewUnderItsFormerIdTakesTheNameBackFromUpkeep() throws Exception {
    try (DrivenConnector<String, ?, ?> running =
        Sinks.writerOfJob("fixed", sink("orders"), "orders", 0)) {
      running.commit(running.prepare(0, "a:1"));
      Object open = running.begin(1, "a:2");
      try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
        directory.retirePublishedSince(1);
      }
      assertThatThrownBy(() -> preCommit(running, open)).isInstanceOf(SetupRefusedException.class);
    }
    for (int start = 0; start < 2; start++) {
      try (DrivenConnector<String, ?, ?> anew =
          Sinks.writerOfJob("fixed", sink("orders"), "orders", 0)) {
        assertThat(anew.prepare(1, "a:2")).isNotNull();
      }
    }
  }

  @Test
  void R6_aListOfRetiredFilesThatWasNotFinishedIsRemovedByTheNext() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink("orders"), "orders")) {
      writer.commit(writer.prepare(0, "a:1"));
    }
    Path hidden = root.resolve(".twophase");
    String nonce = ".retiring-00c0ffee-0000-4000-8000-000000000001";
    Path left = Files.writeString(hidden.resolve("orders" + nonce), "cut off");
    Path foreign = Files.writeString(hidden.resolve("orders-eu" + nonce), "another sink's");
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      directory.retirePublishedSince(0);
    }
    assertThat(left).doesNotExist();
    assertThat(foreign).exists();
  }

  @Test
  void C9_aLossOfWhatWasRetiredSaysSo() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink("orders"), "orders")) {
      prepared = writer.prepare(0, "a:1");
      assertThat(writer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      directory.retirePublishedSince(0);
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink("orders"), "orders")) {
      assertThat(committer.commit(prepared))
          .isInstanceOf(CommitOutcome.Lost.class)
          .asString()
          .contains("orders.retired", "the line that was abandoned then");
    }
  }

  @Test
  void R6_markersThatTheAbandonedLineMadeAreRetiredAndMadeAgainByTheNext() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(withMarkers(), "orders", 0, 1)) {
      first.connector().watermark(5);
      Object begun = first.begin(0, "10:a", "20:b");
      first.commit(preCommit(first, begun).orElseThrow(), 1);
      first.connector().watermark(15);
      first.commit(first.prepare(1, "20:c"), 2);
      first.connector().watermark(25);
      first.commit(first.prepare(2, "30:d"), 3);
      assertThat(root.resolve("10/done")).exists();
      assertThat(root.resolve("20/done")).exists();
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThat(directory.findPublishedSince(2)).startsWith("20/done").doesNotContain("10/done");
      List<String> retired = directory.retirePublishedSince(2);
      assertThat(retired).hasSize(3).startsWith("20/done");
      assertThat(directory.retired()).containsExactlyInAnyOrderElementsOf(retired);
      assertThat(directory.retirePublishedSince(2)).isEmpty();
    }
    assertThat(root.resolve("10/done")).as("of the line that goes on").exists();
    assertThat(root.resolve("20/done")).doesNotExist();
    try (DrivenConnector<String, ?, ?> restored = Sinks.writer(withMarkers(), "orders", 0, 1)) {
      assertThat(restored.connector().committedSince(2)).isEmpty();
      restored.connector().watermark(15);
      restored.commit(restored.prepare(2, "20:another"), 3);
      assertThat(root.resolve("20/done")).doesNotExist();
      restored.connector().watermark(25);
      restored.commit(restored.prepare(3), 4);
      assertThat(root.resolve("20/done")).exists();
    }
    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThat(directory.retirePublishedSince(0)).contains("10/done", "20/done");
    }
    assertThat(Sinks.visible(root)).allMatch(path -> path.startsWith("_retired"));
  }

  private TransactionalConnector<String, ?, ?> withMarkers() {
    return TransactionalFileSink.forLines(root)
        .name("orders")
        .bucketAssigner(new Sinks.BeforeColon())
        .marker(new Done())
        .buildConnector();
  }

  private record Done() implements BucketMarker {
    @Override
    public boolean isComplete(String bucket, long watermark) {
      return watermark >= Long.parseLong(bucket);
    }

    @Override
    public String fileName(String bucket) {
      return "done";
    }
  }

  @Test
  void R6_retiringGoesOnWhereACrashHasLeftIt() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink("orders"), "orders")) {
      writer.commit(writer.prepare(0, "a:1", "b:2"));
    }
    List<Path> published =
        Sinks.visible(root).stream().filter(path -> !path.startsWith("_retired")).toList();
    Path linked = root.resolve(".twophase/orders.retired").resolve(published.get(0));
    Files.createDirectories(linked.getParent());
    Files.createLink(linked, root.resolve(published.get(0)));

    try (SinkDirectory directory = SinkDirectory.of(root, "orders")) {
      assertThat(directory.retirePublishedSince(0)).hasSize(2);
    }
    assertThat(published).allSatisfy(path -> assertThat(root.resolve(path)).doesNotExist());
  }

  @Test
  void theGuidesExampleRemovesNothingThatTheSavepointHolds() throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink("orders"), "orders")) {
      prepared = writer.prepare(1, "a:1");
    }
    Path directory = root;
    Path savepoint = savepoint(prepared);
    long checkpointId = 2;
    // tag::upkeep[]
    try (SinkDirectory upkeep = SinkDirectory.of(directory, "orders")) {
      SavedTransactions saved = SavedTransactions.in(savepoint, "orders");
      upkeep.findOrphans(saved).forEach(System.out::println);
      upkeep.removeOrphans(saved);

      upkeep.findPublishedSince(checkpointId).forEach(System.out::println);
      upkeep.retirePublishedSince(checkpointId);
    }
    // end::upkeep[]
    assertThat(Sinks.hidden(root)).hasSize(1);
  }

  @SuppressWarnings("unchecked")
  private static <T> Optional<Prepared> preCommit(DrivenConnector<String, T, ?> writer, Object open)
      throws Exception {
    return writer.preCommit(0, (T) open);
  }

  private Path savepoint(Prepared prepared) throws Exception {
    Savepoints.write(elsewhere, "orders", prepared);
    return elsewhere;
  }

  private TransactionalConnector<String, ?, ?> sink(String name) {
    return TransactionalFileSink.forLines(root)
        .name(name)
        .bucketAssigner(new Sinks.BeforeColon())
        .buildConnector();
  }

  private TransactionalConnector<String, ?, ?> withManifests() {
    return TransactionalFileSink.forLines(root)
        .name("orders")
        .bucketAssigner(new Sinks.BeforeColon())
        .manifests()
        .buildConnector();
  }
}
