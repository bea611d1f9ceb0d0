package dev.twophase.file.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.policy.LossPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader of manifests sees: whole checkpoints, or nothing of them. */
class ManifestTest {

  @TempDir Path root;

  @Test
  void V1_aCheckpointIsSeenOnceAllItsPartsAreThereEmptyOnesToo() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared records = first.prepare(0, "a:1", "b:2");
      Prepared empty = second.prepare(0);
      ManifestReader reader = ManifestReader.of(root, "orders");

      assertThat(committer.commit(records, 1)).isEqualTo(CommitOutcome.committed());
      assertThat(reader.readAll()).isEmpty();
      assertThat(reader.latestCheckpoint()).isEmpty();

      assertThat(committer.commit(empty, 1)).isEqualTo(CommitOutcome.committed());
      assertThat(reader.latestCheckpoint()).hasValue(1);
      assertThat(lines(reader, reader.readAll())).containsExactly("a:1", "b:2");
    }
    assertThat(Sinks.hidden(root)).isEmpty();
  }

  @Test
  void V1_aReaderFollowsTheDirectoryAndGetsEachFileOnce() throws Exception {
    ManifestReader reader = ManifestReader.of(root, "orders");
    checkpoint(1, List.of("a:1"), List.of("a:2"));
    assertThat(lines(reader, reader.readNew())).containsExactly("a:1", "a:2");
    assertThat(reader.readNew()).isEmpty();

    checkpoint(2, List.of(), List.of("a:3"));
    checkpoint(3, List.of("b:4"), List.of());
    assertThat(lines(reader, reader.readNew())).containsExactly("a:3", "b:4");
    assertThat(reader.readAll()).hasSize(4);
  }

  @Test
  void aReaderWithNothingToReadTellsAMisspeltNameOrDirectoryFromASinkWithoutManifests()
      throws Exception {
    checkpoint(1, List.of("a:1"), List.of());
    ManifestReader misspelt = ManifestReader.of(root, "ordres");
    assertThat(misspelt.readAll()).isEmpty();
    assertThat(misspelt.whyEmpty())
        .contains("No sink 'ordres' has written in " + root + ": 'orders' has");
    assertThat(ManifestReader.of(root.resolve("no"), "orders").whyEmpty())
        .hasValueSatisfying(why -> assertThat(why).endsWith("/no: there is no such directory"));
    assertThat(ManifestReader.of(root.resolve("a"), "orders").whyEmpty())
        .hasValueSatisfying(why -> assertThat(why).endsWith("/a: no sink has"));

    TransactionalConnector<String, ?, ?> plain =
        TransactionalFileSink.forLines(root).name("plain").buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(plain, "plain")) {
      writer.commit(writer.prepare(0, "1"));
    }
    assertThat(ManifestReader.of(root, "plain").whyEmpty())
        .hasValueSatisfying(why -> assertThat(why).contains("'plain' has published no manifest"));
    assertThat(ManifestReader.of(root, "orders").whyEmpty())
        .as("one part of two, which is no whole checkpoint")
        .isEmpty();
  }

  @Test
  void C5_whatAnAbortedCheckpointPreparedIsSeenWithTheNext() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      committer.commit(first.prepare(0, "a:1"), 1);
      committer.commit(first.prepare(1, "a:2"), 2);
      assertThat(ManifestReader.of(root, "orders").readAll()).isEmpty();
      committer.commit(second.prepare(0, "a:3"), 2);
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(lines(reader, reader.readAll())).containsExactly("a:1", "a:2", "a:3");
  }

  @Test
  void E1_aFinishedSubtaskIsNotWaitedFor() throws Exception {
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      ManifestReader reader = ManifestReader.of(root, "orders");
      committer.commit(prepareLast(first, 0, "a:1"), 1);
      assertThat(reader.latestCheckpoint()).as("the other has not ended").isEmpty();
      committer.commit(second.prepare(0, "a:2"), 1);
      assertThat(reader.latestCheckpoint()).hasValue(1);
      committer.commit(second.prepare(1, "a:3"), 2);
      assertThat(reader.latestCheckpoint()).hasValue(2);
      assertThat(reader.readAll()).hasSize(3);
    }
  }

  @Test
  void E1_afterADrainBothSubtasksAreWaitedForAgainWhicheverComesFirst() throws Exception {
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      first.commit(prepareLast(first, 0, "a:1"), 1);
      second.commit(prepareLast(second, 0, "a:2"), 1);
    }
    for (int run = 1; run < 3; run++) {
      assertThat(reader.latestCheckpoint()).hasValue(run);
      try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", run % 2);
          DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", (run + 1) % 2)) {
        Prepared records = prepareLast(first, run, "b:" + run);
        Prepared others = prepareLast(second, run, "c:" + run);
        first.commit(records, run + 1);
        assertThat(reader.latestCheckpoint()).hasValue(run);
        assertThat(reader.readAll()).hasSize(2 * run);
        second.commit(others, run + 1);
      }
    }
    assertThat(reader.latestCheckpoint()).hasValue(3);
    assertThat(reader.readAll()).hasSize(6);
  }

  @Test
  void E1_oneThatHasEndedIsNotWaitedForWhenAnotherAloneIsRestarted() throws Exception {
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      first.commit(prepareLast(first, 0, "a:1"), 1);
      second.commit(second.prepare(0, "a:2"), 1);
    }
    try (DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      second.commit(second.prepare(1, "a:3"), 2);
    }
    assertThat(reader.latestCheckpoint()).hasValue(2);
  }

  @Test
  void C9_oneWhoseLastTransactionIsLostAndQuarantinedIsNotWaitedFor() throws Exception {
    LossPolicy goOn = LossPolicy.quarantine(lost -> {});
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(root)
            .name("orders")
            .manifests()
            .options(SinkOptions.defaults().withLossPolicy(goOn))
            .buildConnector();
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink, "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink, "orders", 1)) {
      Prepared lost = prepareLast(first, 0, "a:1");
      for (Path file : Sinks.hidden(root)) {
        Files.delete(root.resolve(file));
      }
      assertThat(first.commit(lost, 1)).isInstanceOf(CommitOutcome.Lost.class);
      second.commit(second.prepare(0, "a:2"), 1);
      second.commit(second.prepare(1, "a:3"), 2);
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(lines(reader, reader.readAll())).containsExactly("a:2", "a:3");
  }

  @Test
  void R3_anEndCountsAmongSubtasksOfItsOwnParallelismUntilTheyRunAgain() throws Exception {
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      first.commit(prepareLast(first, 0, "a:1"), 1);
      second.commit(second.prepare(0, "a:2"), 1);
    }
    try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink(), "orders", 0, 1)) {
      only.commit(only.prepare(1, "b:1"), 2);
    }
    assertThat(reader.latestCheckpoint()).hasValue(2);
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(sink(), "orders", 1)) {
      Prepared others = first.prepare(2, "c:1");
      second.commit(second.prepare(2, "c:2"), 3);
      assertThat(reader.latestCheckpoint()).hasValue(2);
      first.commit(others, 3);
      assertThat(reader.latestCheckpoint()).hasValue(3);
    }
  }

  @Test
  void R6_emptyCheckpointsOfAnAbandonedLineCompleteNoneOfTheNext() throws Exception {
    ManifestReader reader = ManifestReader.of(root, "orders");
    checkpointsOfJob("former", 0, "a:1", null, null, null);
    assertThat(reader.latestCheckpoint()).hasValue(4);
    try (DrivenConnector<String, ?, ?> first = Sinks.writerOfJob("next", sink(), "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writerOfJob("next", sink(), "orders", 1)) {
      assertThat(first.connector().committedSince(1)).as("no rewind").isEmpty();
      Prepared records = first.prepare(1, "b:1");
      Prepared others = second.prepare(1, "b:2");
      first.commit(records, 2);
      assertThat(reader.latestCheckpoint()).hasValue(1);
      assertThat(lines(reader, reader.readAll())).containsExactly("a:1", "a:1");
      second.commit(others, 2);
    }
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(lines(reader, reader.readAll())).containsExactly("a:1", "a:1", "b:1", "b:2");
  }

  @Test
  void R6_whatAnAbandonedLineHadShownStaysListedAndNothingElseOfIt() throws Exception {
    checkpointsOfJob("former", 0, "a:1", "a:2", "a:3");
    try (DrivenConnector<String, ?, ?> half = Sinks.writerOfJob("former", sink(), "orders", 0)) {
      half.commit(half.prepare(3, "a:4"), 4);
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    checkpointsOfJob("next", 1, "b:2", "b:3");
    assertThat(reader.latestCheckpoint()).hasValue(3);
    assertThat(lines(reader, reader.readNew()).stream().distinct())
        .containsExactly("a:1", "a:2", "a:3", "b:2", "b:3");
    checkpointsOfJob("third", 2, "c:3");
    assertThat(lines(reader, reader.readNew()).stream().distinct()).containsExactly("c:3");
  }

  @Test
  void R4_anAttemptThatThawsWhereItBeganChangesNothing() throws Exception {
    try (DrivenConnector<String, ?, ?> frozen = Sinks.writerOfJob("j", sink(), "orders", 0)) {
      checkpointsOfJob("j", 0, "a:1", "a:2");
      try (DrivenConnector<String, ?, ?> first = Sinks.writerOfJob("j", sink(), "orders", 0);
          DrivenConnector<String, ?, ?> second = Sinks.writerOfJob("j", sink(), "orders", 1)) {
        first.commit(prepareLast(first, 2, "a:3"), 3);
        second.commit(second.prepare(2), 3);
        frozen.begin(0);
        second.commit(second.prepare(3), 4);
      }
    }
    assertThat(ManifestReader.of(root, "orders").latestCheckpoint()).hasValue(4);
  }

  @Test
  void V1_whatIsSkippedIsNotDeliveredAndWhatFollowsIs() throws Exception {
    checkpoint(1, List.of("a:1"), List.of("a:2"));
    ManifestReader reader = ManifestReader.of(root, "orders");
    reader.skip();
    assertThat(reader.readNew()).isEmpty();
    checkpoint(2, List.of("b:3"), List.of());
    assertThat(lines(reader, reader.readNew())).containsExactly("b:3");
  }

  @Test
  void R3_afterRescalingACheckpointCountsOnceAllOfItsOwnPartsAreThere() throws Exception {
    checkpoint(1, List.of("a:1"), List.of("a:2"));
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      for (int subtask = 0; subtask < 3; subtask++) {
        assertThat(reader.latestCheckpoint()).hasValue(1);
        try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders", subtask, 3)) {
          committer.commit(writer.prepare(1, "b:" + subtask), 2);
        }
      }
      assertThat(reader.latestCheckpoint()).hasValue(2);
      try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink(), "orders", 0, 1)) {
        committer.commit(only.prepare(2, "c:9"), 3);
      }
    }
    assertThat(reader.latestCheckpoint()).hasValue(3);
    assertThat(lines(reader, reader.readAll()))
        .containsExactly("a:1", "a:2", "b:0", "b:1", "b:2", "c:9");
  }

  @Test
  void C6_aFileThatAReaderHasTakenAwayIsNoLossIfItsManifestListsIt() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared prepared = writer.prepare(0, "a:1");
      committer.commit(prepared, 1);
      for (Path file : Sinks.visible(root)) {
        if (!file.startsWith("_manifests")) {
          Files.delete(root.resolve(file));
        }
      }

      assertThat(committer.commit(prepared, 1)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
  }

  @Test
  void C6_aManifestThatWasMovedAwayIsNoLossOfWhatItListed() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared records = writer.prepare(0, "a:1");
      Prepared empty = writer.prepare(1);
      committer.commit(records, 1);
      committer.commit(empty, 2);
      FileUtils.deleteDirectory(root.resolve("_manifests").toFile());

      assertThat(committer.commit(records, 1)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(committer.commit(empty, 2)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(root.resolve("_manifests")).doesNotExist();
  }

  @Test
  void C6_aManifestThatWasNeverPublishedAndIsGoneIsALoss() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared prepared = writer.prepare(0, "a:1");
      for (Path staged : Sinks.hidden(root)) {
        if (staged.toString().endsWith(".1")) {
          Files.delete(root.resolve(staged));
        }
      }
      assertThat(Sinks.hidden(root)).hasSize(1);

      assertThat(committer.commit(prepared, 1)).isInstanceOf(CommitOutcome.Lost.class);
    }
  }

  @Test
  void R6_aJobWhoseOwnerMarkWasRemovedHoldsUpNoReaderOfTheOthers() throws Exception {
    checkpointsOfJob("a1", 0, "a:1", "a:2");
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (DrivenConnector<String, ?, ?> intruder = Sinks.writerOfJob("b2", sink(), "orders", 0)) {
      intruder.begin(1);
      assertThat(reader.latestCheckpoint()).hasValue(1);
    }
    Files.delete(root.resolve(".twophase/orders.owner/2.b2"));
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(reader.readAll()).hasSize(4);

    checkpointsOfJob("a1", 2, "a:3");
    assertThat(reader.latestCheckpoint()).hasValue(3);
    checkpointsOfJob("c3", 3, "c:4");
    assertThat(reader.latestCheckpoint()).hasValue(4);
    assertThat(reader.readAll()).hasSize(8);
  }

  @Test
  void C9_aLostTransactionLeavesNoManifestThatListsIt() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared prepared = writer.prepare(0, "a:1");
      Files.delete(root.resolve(Sinks.hidden(root).get(0)));

      assertThat(committer.commit(prepared, 1)).isInstanceOf(CommitOutcome.Lost.class);
    }
    assertThat(root.resolve("_manifests/orders")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u2028b", "a\u2029b", "100%0A", "a b", "_a", "a/_b"})
  void whateverABucketIsCalledItsFilesAreListed(String bucket) throws Exception {
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(root)
            .name("orders")
            .bucketAssigner(new Sinks.BeforeColon())
            .manifests()
            .buildConnector();
    try (DrivenConnector<String, ?, ?> only = Sinks.writer(sink, "orders", 0, 1)) {
      only.commit(only.prepare(0, bucket + ":1"), 1);
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.readAll())
        .singleElement()
        .satisfies(file -> assertThat(file.path()).startsWith(bucket + "/"));
    reader.verify(reader.readAll().get(0));
  }

  @Test
  void aChangedFileIsFoundOut() throws Exception {
    checkpoint(1, List.of("a:1"), List.of());
    ManifestReader reader = ManifestReader.of(root, "orders");
    CommittedFile file = reader.readAll().get(0);
    Files.writeString(root.resolve(file.path()), "a:9\n");

    assertThatThrownBy(() -> reader.verify(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another content")
        .hasMessageEndingWith("put this one back");
  }

  @Test
  void aFileOfAnotherLengthAndAMissingOneAreFoundOut() throws Exception {
    checkpoint(1, List.of("a:1"), List.of());
    ManifestReader reader = ManifestReader.of(root, "orders");
    CommittedFile file = reader.readAll().get(0);
    reader.verify(file);

    Files.writeString(root.resolve(file.path()), "a:1\na:2\n");
    assertThatThrownBy(() -> reader.verify(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.path() + " is a file of 8 bytes instead of one of the 4 bytes")
        .hasMessageEndingWith("put this one back");

    Files.delete(root.resolve(file.path()));
    assertThatThrownBy(() -> reader.verify(file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(file.path())
        .hasMessageContaining("moved or removed it")
        .hasMessageEndingWith("put this one back");
  }

  @Test
  void E3_aSinkThatHasLeftManifestsIsNotStartedWithoutThem() throws Exception {
    checkpoint(1, List.of("a:1"), List.of());
    TransactionalConnector<String, ?, ?> without =
        TransactionalFileSink.forLines(root).name("orders").buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(without, "orders")) {
      assertThatThrownBy(writer::preflight)
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("manifests")
          .hasMessageContaining("Switch manifests() on");

      FileUtils.deleteDirectory(root.resolve(".twophase/orders.runs").toFile());
      writer.preflight();
    }
  }

  @Test
  void manifestsWithoutExactlyOnceAreRefused() {
    assertThatThrownBy(
            () ->
                TransactionalFileSink.forLines(root)
                    .name("orders")
                    .manifests()
                    .options(SinkOptions.defaults().withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE))
                    .buildConnector())
        .hasMessageContaining("use EXACTLY_ONCE");
  }

  @Test
  void verifyingEverythingNewPassesOnWhatIsUnchanged() throws Exception {
    checkpoint(1, List.of("a:1"), List.of("b:2"));
    Path directory = root;
    // tag::read[]
    ManifestReader reader = ManifestReader.of(directory, "orders");
    for (CommittedFile file : reader.readNew()) {
      reader.verify(file);
    }
    // end::read[]
    assertThat(reader.readNew()).isEmpty();
  }

  /** Of two subtasks, from a restored checkpoint on, with the same record each. */
  private void checkpointsOfJob(String job, long restored, @Nullable String... records)
      throws Exception {
    try (DrivenConnector<String, ?, ?> one = Sinks.writerOfJob(job, sink(), "orders", 0);
        DrivenConnector<String, ?, ?> two = Sinks.writerOfJob(job, sink(), "orders", 1)) {
      for (int i = 0; i < records.length; i++) {
        String[] written = records[i] == null ? new String[0] : new String[] {records[i]};
        one.commit(one.prepare(restored + i, written), restored + i + 1);
        two.commit(two.prepare(restored + i, written), restored + i + 1);
      }
    }
  }

  private static <T, H> Prepared prepareLast(
      DrivenConnector<String, T, H> writer, long since, String... records) throws Exception {
    T open = writer.begin(since, records);
    writer.connector().endOfInput();
    return writer.preCommit(since, open).orElseThrow();
  }

  private void checkpoint(long id, List<String> first, List<String> second) throws Exception {
    try (DrivenConnector<String, ?, ?> one = Sinks.writer(sink(), "orders", 0);
        DrivenConnector<String, ?, ?> two = Sinks.writer(sink(), "orders", 1);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      committer.commit(one.prepare(id - 1, first.toArray(new String[0])), id);
      committer.commit(two.prepare(id - 1, second.toArray(new String[0])), id);
    }
  }

  private static List<String> lines(ManifestReader reader, List<CommittedFile> files)
      throws IOException {
    return Sinks.lines(reader, files).stream().sorted().toList();
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return TransactionalFileSink.forLines(root)
        .name("orders")
        .manifests()
        .bucketAssigner(new Sinks.BeforeColon())
        .buildConnector();
  }
}
