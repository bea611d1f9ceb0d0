package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.file.Sinks.Instance;
import dev.twophase.file.Sinks.Prepared;
import dev.twophase.file.manifest.CommittedFile;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.policy.SinkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader of manifests sees: whole checkpoints, or nothing of them. */
class ManifestTest {

  @TempDir Path root;

  @Test
  void V1_aCheckpointIsSeenOnceAllItsPartsAreThereEmptyOnesToo() throws Exception {
    try (Instance<?, ?> first = Sinks.writer(sink(), "orders", 0);
        Instance<?, ?> second = Sinks.writer(sink(), "orders", 1);
        Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
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
  void C5_whatAnAbortedCheckpointPreparedIsSeenWithTheNext() throws Exception {
    try (Instance<?, ?> first = Sinks.writer(sink(), "orders", 0);
        Instance<?, ?> second = Sinks.writer(sink(), "orders", 1);
        Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
      committer.commit(first.prepare(0, "a:1"), 1);
      committer.commit(first.prepare(1, "a:2"), 2);
      committer.commit(second.prepare(0, "a:3"), 2);
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(lines(reader, reader.readAll())).containsExactly("a:1", "a:2", "a:3");
  }

  @Test
  void E1_aFinishedSubtaskIsNotWaitedFor() throws Exception {
    try (Instance<?, ?> first = Sinks.writer(sink(), "orders", 0);
        Instance<?, ?> second = Sinks.writer(sink(), "orders", 1);
        Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
      first.connector.endOfInput();
      committer.commit(first.prepare(0, "a:1"), 1);
      committer.commit(second.prepare(0, "a:2"), 1);
      committer.commit(second.prepare(1, "a:3"), 2);
    }
    ManifestReader reader = ManifestReader.of(root, "orders");
    assertThat(reader.latestCheckpoint()).hasValue(2);
    assertThat(reader.readAll()).hasSize(3);
  }

  @Test
  void R3_afterRescalingACheckpointCountsOnceAllOfItsOwnPartsAreThere() throws Exception {
    checkpoint(1, List.of("a:1"), List.of("a:2"));
    ManifestReader reader = ManifestReader.of(root, "orders");
    try (Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
      for (int subtask = 0; subtask < 3; subtask++) {
        assertThat(reader.latestCheckpoint()).hasValue(1);
        try (Instance<?, ?> writer = Sinks.writer(sink(), "orders", subtask, 3)) {
          committer.commit(writer.prepare(1, "b:" + subtask), 2);
        }
      }
      assertThat(reader.latestCheckpoint()).hasValue(2);
      try (Instance<?, ?> only = Sinks.writer(sink(), "orders", 0, 1)) {
        committer.commit(only.prepare(2, "c:9"), 3);
      }
    }
    assertThat(reader.latestCheckpoint()).hasValue(3);
    assertThat(lines(reader, reader.readAll()))
        .containsExactly("a:1", "a:2", "b:0", "b:1", "b:2", "c:9");
  }

  @Test
  void C6_aFileThatAReaderHasTakenAwayIsNoLossIfItsManifestListsIt() throws Exception {
    try (Instance<?, ?> writer = Sinks.writer(sink(), "orders", 0);
        Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
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
  void C9_aLostTransactionLeavesNoManifestThatListsIt() throws Exception {
    try (Instance<?, ?> writer = Sinks.writer(sink(), "orders", 0);
        Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared prepared = writer.prepare(0, "a:1");
      Files.delete(root.resolve(Sinks.hidden(root).get(0)));

      assertThat(committer.commit(prepared, 1)).isInstanceOf(CommitOutcome.Lost.class);
    }
    assertThat(root.resolve("_manifests/orders")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u2028b", "a\u2029b", "100%0A", "a b"})
  void whateverABucketIsCalledItsFilesAreListed(String bucket) throws Exception {
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(root)
            .name("orders")
            .bucketAssigner(new Sinks.BeforeColon())
            .manifests()
            .buildConnector();
    try (Instance<?, ?> only = Sinks.writer(sink, "orders", 0, 1)) {
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
        .hasMessageContaining("another content");
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

  private void checkpoint(long id, List<String> first, List<String> second) throws Exception {
    try (Instance<?, ?> one = Sinks.writer(sink(), "orders", 0);
        Instance<?, ?> two = Sinks.writer(sink(), "orders", 1);
        Instance<?, ?> committer = Sinks.committer(sink(), "orders")) {
      committer.commit(one.prepare(id - 1, first.toArray(new String[0])), id);
      committer.commit(two.prepare(id - 1, second.toArray(new String[0])), id);
    }
  }

  private List<String> lines(ManifestReader reader, List<CommittedFile> files) throws IOException {
    List<String> lines = new ArrayList<>();
    for (CommittedFile file : files) {
      reader.verify(file);
      lines.addAll(Files.readAllLines(root.resolve(file.path())));
    }
    return lines.stream().sorted().toList();
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return TransactionalFileSink.forLines(root)
        .name("orders")
        .manifests()
        .bucketAssigner(new Sinks.BeforeColon())
        .buildConnector();
  }
}
