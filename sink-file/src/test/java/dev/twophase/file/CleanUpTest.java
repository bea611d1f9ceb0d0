package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.upkeep.SinkDirectory;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in the directory, whose it is, and what is removed. */
class CleanUpTest {

  @TempDir Path directory;

  @Test
  void R2_openAndPreparedTransactionsAreListedOnceEach() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.prepare(1, "a:1", "b:2");
      open(writer, 2, "a:3");

      assertThat(unfinished(writer)).containsExactlyInAnyOrder(writer.id(1), writer.id(2));
    }
  }

  @Test
  void A1_abortOfSubtask1SparesSubtask11() throws Exception {
    try (DrivenConnector<String, ?, ?> one = writer("orders", 1);
        DrivenConnector<String, ?, ?> eleven = writer("orders", 11)) {
      one.prepare(1, "a:1", "b:2");
      Prepared kept = eleven.prepare(1, "a:3", "b:4");

      one.connector().abort(Unfinished.of(one.id(1)));

      assertThat(unfinished(one)).containsExactly(eleven.id(1));
      assertThat(eleven.commit(kept)).isEqualTo(CommitOutcome.committed());
      assertThat(Sinks.lines(directory)).containsExactly("a:3", "b:4");
    }
  }

  @Test
  void A1_transactionsOfOrdersEuAreNoneOfOrdersBusiness() throws Exception {
    try (DrivenConnector<String, ?, ?> orders = writer("orders", 0);
        DrivenConnector<String, ?, ?> ordersEu = writer("orders-eu", 0)) {
      orders.prepare(1, "a:1");
      ordersEu.prepare(1, "a:2");

      assertThat(unfinished(orders)).containsExactly(orders.id(1));
      assertThat(unfinished(ordersEu)).containsExactly(ordersEu.id(1));
    }
  }

  @Test
  void A1_abortTakesOneTransactionOfAnAttemptAndNotTheNext() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.prepare(1, "a:1");
      Prepared kept = writer.prepare(12, "a:2");

      writer.connector().abort(Unfinished.of(writer.id(1)));
      writer.connector().abort(Unfinished.of(writer.id(1)));

      assertThat(unfinished(writer)).containsExactly(kept.id());
    }
  }

  @Test
  void A1_abortIsHarmlessOnACommittedTransaction() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      Prepared prepared = writer.prepare(1, "a:1");
      writer.commit(prepared);

      writer.connector().abort(Unfinished.of(prepared.id()));

      assertThat(Sinks.lines(directory)).containsExactly("a:1");
      assertThat(writer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
  }

  /** Of a start that was killed while it tried out the directory. */
  @Test
  void R2_aProbeLeftBehindGoesWithTheNextStartOfItsSubtaskAndNoOther() throws Exception {
    Path staging = Files.createDirectories(directory.resolve(".twophase/orders"));
    String nonce = "-00c0ffee-0000-4000-8000-00000000000";
    List<String> others = List.of(".probe-0" + nonce + "1", ".probe-11" + nonce + "2", ".probe-");
    List<String> own = List.of(".probe-1" + nonce + "3", ".probe-5" + nonce + "4-moved");
    for (String name : others) {
      Files.createFile(staging.resolve(name));
    }
    for (String name : own) {
      Files.createFile(staging.resolve(name));
    }
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(directory).name("orders").buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders", 1, 4)) {
      writer.preflight();
      assertThat(staging.toFile().list())
          .containsExactlyInAnyOrder(others.get(0), others.get(1), ".probe-");
    }
  }

  @Test
  void R2_foreignFilesInTheHiddenDirectoryAreLeftAlone() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.prepare(1, "a:1");
      Path staging = directory.resolve(".twophase/orders");
      String own = Sinks.hidden(directory).get(0).getFileName().toString();
      List<String> foreign =
          List.of(
              "notes.txt",
              own.substring(1),
              own + "x",
              own.substring(0, own.lastIndexOf('.')),
              "." + own,
              own.replace("orders", "orders2"));
      for (String name : foreign) {
        Files.writeString(staging.resolve(name), "foreign");
      }

      assertThat(unfinished(writer)).containsExactly(writer.id(1));
      writer.connector().abort(Unfinished.of(writer.id(1)));

      assertThat(staging).isDirectoryNotContaining(path -> path.endsWith(own));
      assertThat(Sinks.hidden(directory).stream().map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(foreign);
    }
  }

  @Test
  void W6_twoJobsInOneDirectoryDoNotTouchEachOther() throws Exception {
    try (DrivenConnector<String, ?, ?> one = writer("job-one", 0);
        DrivenConnector<String, ?, ?> two = writer("job-two", 0)) {
      Prepared first = one.prepare(1, "a:one");
      Prepared second = two.prepare(1, "a:two");
      one.connector().abort(Unfinished.of(first.id()));

      assertThat(two.commit(second)).isEqualTo(CommitOutcome.committed());
      assertThat(Sinks.lines(directory)).containsExactly("a:two");
      assertThat(one.connector().committedSince(0)).isEmpty();
    }
  }

  @Test
  void W6_attemptsWithTheSameNumbersNeverCollide() throws Exception {
    for (int attempt = 0; attempt < 3; attempt++) {
      try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
        writer.commit(writer.prepare(0, "a:" + attempt));
      }
    }
    assertThat(Sinks.lines(directory)).containsExactly("a:0", "a:1", "a:2");
  }

  @Test
  void R6_aPublishedFileProvesWhatWasCommittedSinceACheckpoint() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 3);
        DrivenConnector<String, ?, ?> other = writer("orders-eu", 3)) {
      writer.commit(writer.prepare(17, "a/b:1"));
      other.commit(other.prepare(99, "a/b:1"));

      assertThat(writer.connector().committedSince(17)).contains(writer.id(17));
      assertThat(writer.connector().committedSince(5)).contains(writer.id(17));
      assertThat(writer.connector().committedSince(18)).isEmpty();
    }
  }

  @Test
  void R6_theCheckAtTheStartDoesNotLookAtPublishedFiles() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.commit(writer.prepare(17, "a/b:1"));
    }
    List<String> calls = new ArrayList<>();
    TransactionalConnector<String, ?, ?> watched =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .storageFactory(ScriptedStorage.following(calls::add))
            .buildConnector();
    try (DrivenConnector<String, ?, ?> restored = Sinks.writer(watched, "orders")) {
      calls.clear();
      assertThat(restored.connector().committedSince(17)).isPresent();
      assertThat(restored.connector().committedSince(18)).isEmpty();
      assertThat(calls).containsOnly("names .twophase/orders.since");
    }
  }

  @Test
  void R6_filesThatAConsumerHasRemovedProveWhatWasCommittedToo() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.commit(writer.prepare(17, "a:1"));
      for (Path file : Sinks.visible(directory)) {
        Files.delete(directory.resolve(file));
      }

      assertThat(writer.connector().committedSince(17)).contains(writer.id(17));
    }
  }

  @Test
  void R6_whereThereAreNoMarksThePublishedFilesAreAsked() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.commit(writer.prepare(17, "a/b:1"));
      FileUtils.deleteDirectory(directory.resolve(".twophase/orders.since").toFile());

      assertThat(writer.connector().committedSince(17)).contains(writer.id(17));
      assertThat(writer.connector().committedSince(18)).isEmpty();
    }
  }

  @Test
  void R6_aSinkOfTheSameNameInADirectoryBelowIsAnother() throws Exception {
    TransactionalConnector<String, ?, ?> below =
        TransactionalFileSink.forLines(directory.resolve("a/below"))
            .name("orders")
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector();
    try (DrivenConnector<String, ?, ?> other = Sinks.writer(below, "orders")) {
      other.commit(other.prepare(3, "b:theirs"));
    }
    try (DrivenConnector<String, ?, ?> own = writer("orders", 0)) {
      assertThat(own.connector().committedSince(0)).isEmpty();
      own.commit(own.prepare(0, "a:1"));
      assertThatThrownBy(() -> own.prepare(1, "a/below/b:2"))
          .hasMessageContaining("a/below: the directory of another sink called 'orders'");
    }
    try (SinkDirectory upkeep = SinkDirectory.of(directory, "orders")) {
      assertThat(upkeep.retirePublishedSince(0)).singleElement().asString().startsWith("a/part.");
    }
    assertThat(Sinks.lines(directory.resolve("a/below"))).containsExactly("b:theirs");
  }

  @Test
  void R6_aSinkOfTheSameNameInABucketOfAnotherIsRefusedBeforeAnythingIsMade() throws Exception {
    TransactionalConnector<String, ?, ?> inBucket =
        TransactionalFileSink.forLines(directory.resolve("a")).name("orders").buildConnector();
    try (DrivenConnector<String, ?, ?> own = writer("orders", 0)) {
      own.commit(own.prepare(3, "a:1"));

      assertThatThrownBy(() -> Sinks.writer(inBucket, "orders"))
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("which a sink of the same name writes to");
      assertThat(directory.resolve("a/.twophase")).doesNotExist();
      own.commit(own.prepare(4, "a:2"));
    }
    assertThat(Sinks.lines(directory)).containsExactly("a:1", "a:2");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2})
  void R6_onceARewindIsAcceptedTheNewLinesCheckpointsAreNoRewind(long restored) throws Exception {
    try (DrivenConnector<String, ?, ?> abandoned = writer("orders", 0)) {
      for (long since = 0; since < 9; since++) {
        abandoned.commit(abandoned.prepare(since, "a:" + since));
      }
    }
    TransactionalConnector<String, ?, ?> accepting =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .options(SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT))
            .buildConnector();
    try (DrivenConnector<String, ?, ?> first = Sinks.writer(accepting, "orders", 0);
        DrivenConnector<String, ?, ?> second = Sinks.writer(accepting, "orders", 1)) {
      assertThat(first.connector().committedSince(restored)).isPresent();
      second.connector().committedSince(restored);
    }
    try (DrivenConnector<String, ?, ?> next = writer("orders", 0)) {
      assertThat(next.connector().committedSince(restored + 1)).as("nothing new yet").isEmpty();
      next.commit(next.prepare(restored + 1, "a:new"));
      assertThat(next.connector().committedSince(restored + 1)).contains(next.id(restored + 1));
      assertThat(next.connector().committedSince(restored + 2)).isEmpty();
    }
  }

  @Test
  void R6_marksDoNotPileUp() throws Exception {
    TransactionId last = null;
    for (int attempt = 0; attempt < 3; attempt++) {
      try (DrivenConnector<String, ?, ?> one = writer("orders", 0);
          DrivenConnector<String, ?, ?> two = writer("orders", 1)) {
        for (int checkpoint = attempt * 5; checkpoint < attempt * 5 + 5; checkpoint++) {
          one.commit(one.prepare(checkpoint, "a:1"));
          two.commit(two.prepare(checkpoint, "a:2"));
          last = two.id(checkpoint);
        }
        assertThat(directory.resolve(".twophase/orders.since").toFile().list())
            .hasSizeLessThanOrEqualTo(3)
            .contains(last.toString());
      }
    }
  }

  @Test
  void R6_aPreparedTransactionProvesNothing() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = writer("orders", 0)) {
      writer.prepare(17, "a:1");

      assertThat(writer.connector().committedSince(0)).isEmpty();
    }
  }

  private DrivenConnector<String, ?, ?> writer(String name, int subtask) throws Exception {
    return Sinks.writer(
        TransactionalFileSink.forLines(directory)
            .name(name)
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector(),
        name,
        subtask);
  }

  /** Leaves a transaction open, with something on disk. */
  private static <T> void open(DrivenConnector<String, T, ?> writer, long since, String record)
      throws Exception {
    T transaction = writer.begin(since);
    for (int i = 0; i < 100_000; i++) {
      writer.write(transaction, record);
    }
  }

  private static List<TransactionId> unfinished(DrivenConnector<String, ?, ?> instance)
      throws Exception {
    List<TransactionId> ids = new ArrayList<>();
    instance.connector().unfinished().forEach(found -> ids.add(found.id()));
    return ids;
  }
}
