package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.file.ScriptedStorage;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.file.upkeep.SinkDirectory;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ways in which a commit on HDFS can seem to work, each with its right end. */
@Tag("one-flink-line")
class HdfsCommitTest extends OnHdfs {

  private static final int RACES = 50;

  private static final int MANY = 20;

  @Test
  void C1_nothingIsVisibleBeforeTheCommitAndAllOfItAfter() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      Prepared prepared = writer.prepare(1, "a/b:1", "c:2", "c:3");
      assertThat(hdfs.visible(directory)).isEmpty();

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(hdfs.lines(directory)).containsExactly("a/b:1", "c:2", "c:3");
    assertThat(hdfs.hidden(directory)).isEmpty();
  }

  @Test
  void C2_committingTwiceIsOneCommitRecognisedByLengthAndChecksum() throws Exception {
    Prepared prepared = prepare("a:1", "b:2");
    commit(prepared);

    assertThat(commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    assertThat(hdfs.lines(directory)).containsExactly("a:1", "b:2");
  }

  @Test
  void R6_aHigherCheckpointOfALineThatWasLeftIsRefusedAndAfterRetirementAlsoWithAccept()
      throws Exception {
    publishOnce("a", Opening.writer("orders"), 0);
    publishOnce("b", Opening.writer("orders").restoredFromLine(1), 5);
    try (DrivenConnector<String, ?, ?> left = restored("c", 1)) {
      assertThat(left.connector().committedSince(5)).as("by its mark").isPresent();
      assertThat(left.connector().committedSince(9)).as("by a note").isPresent();
    }
    try (DrivenConnector<String, ?, ?> own = restored("c", 2)) {
      assertThat(own.connector().committedSince(6)).isEmpty();
    }
    try (SinkDirectory upkeep = SinkDirectory.of(directory, "orders", Map.of())) {
      assertThat(upkeep.retirePublishedSince(0)).hasSize(2);
    }
    try (DrivenConnector<String, ?, ?> left = restored("c", 2)) {
      assertThatThrownBy(() -> left.connector().committedSince(9))
          .isInstanceOf(RewindDetectedException.class)
          .hasMessageContaining("was retired");
    }
  }

  private void publishOnce(String job, Opening opening, long checkpoint) throws Exception {
    try (DrivenConnector<String, ?, ?> writer = DrivenConnector.open(sink(), opening.inJob(job))) {
      assertThat(writer.connector().committedSince(checkpoint)).isEmpty();
      writer.commit(writer.prepare(checkpoint, job + ":1"));
    }
  }

  private DrivenConnector<String, ?, ?> restored(String job, long line) throws Exception {
    return DrivenConnector.open(sink(), Opening.writer("orders").inJob(job).restoredFromLine(line));
  }

  @Test
  void C2_bothMoversOfOneFileAtOnceMakeOneFileEveryTime() throws Exception {
    MoverRace.run(this::sink, RACES);
    assertThat(hdfs.lines(directory)).hasSize(RACES).doesNotHaveDuplicates();
  }

  @Test
  void C6_aForeignFileOfTheTargetsNameIsRefusedAndLeftAlone() throws Exception {
    Prepared prepared = prepare("a:1");
    String target = commitElsewhereAndName(prepared);
    restage(prepared);
    hdfs.write(directory, target, "b:9\n");

    assertThatThrownBy(() -> commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("same length but with another checksum");
    assertThat(hdfs.lines(directory)).containsExactly("b:9");
    assertThat(hdfs.hidden(directory)).as("the staged file").hasSize(1);
  }

  @Test
  void C6_aDirectoryOfTheTargetsNameIsRefusedAndNothingIsMovedIntoIt() throws Exception {
    Prepared prepared = prepare("a:1");
    String target = commitElsewhereAndName(prepared);
    Path path = new Path(directory + "/" + target);
    hdfs.fileSystem().delete(path, false);
    restage(prepared);
    hdfs.fileSystem().mkdirs(path);

    assertThatThrownBy(() -> commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("taken by a directory");
    assertThat(hdfs.fileSystem().listStatus(path)).isEmpty();
    assertThat(hdfs.hidden(directory)).hasSize(1);
  }

  @Test
  void W5_anEncoderThatWritesNothingLeavesNoFileOnWhicheverWayItsDirectoryIsWritten()
      throws Exception {
    URI loud = URI.create(directory.toString().replaceFirst("hdfs:", "HDFS:"));
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.<String>forRows(
                loud,
                (record, out) ->
                    out.write(record.endsWith("1") ? new byte[] {65, 10} : new byte[0]))
            .name("orders")
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      assertThat(committer.commit(writer.prepare(1, "a:1", "b:2", "b:3")))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(hdfs.lines(directory)).containsExactly("A");
    assertThat(hdfs.visible(directory)).hasSize(1);
    assertThat(hdfs.hidden(directory)).isEmpty();
  }

  @Test
  void aBucketDeeperThanItsFilesCouldBePublishedIsRefusedWithTheBound() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      Object open = writer.begin(1, "d/".repeat(997) + "d:1");
      assertThatThrownBy(() -> preCommit(writer, open))
          .hasMessageContaining("components, of 997 that leave room for its files")
          .hasMessageContaining("Shorten the bucket");
    }
  }

  @Test
  void C6_bothNamesMissingIsALoss() throws Exception {
    Prepared prepared = prepare("a:1");
    hdfs.fileSystem().delete(new Path(directory + "/" + hdfs.hidden(directory).get(0)), false);

    assertThat(commit(prepared)).isInstanceOf(CommitOutcome.Lost.class);
  }

  @Test
  void C6_aStagedFileShorterThanRecordedIsALossAndStaysHidden() throws Exception {
    Prepared prepared = prepare("a:1", "a:2");
    hdfs.write(directory, hdfs.hidden(directory).get(0), "a:1\n");

    assertThat(commit(prepared)).isInstanceOf(CommitOutcome.Lost.class);
    assertThat(hdfs.visible(directory)).isEmpty();
    assertThat(hdfs.hidden(directory)).hasSize(1);
  }

  @Test
  void R5_whoStillWritesToAPreparedFileLosesItsLeaseBeforeAnythingIsDecided() throws Exception {
    Prepared prepared = prepare("a:1", "a:2");
    Path staged = new Path(directory + "/" + hdfs.hidden(directory).get(0));
    try (DistributedFileSystem zombies = newClient()) {
      FSDataOutputStream zombie = zombies.append(staged);
      zombie.write('x');
      zombie.hsync();

      assertThatThrownBy(() -> commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("has grown from 8 to 9 bytes");

      assertThat(hdfs.fileSystem().isFileClosed(staged)).isTrue();
      assertThatThrownBy(
              () -> {
                zombie.write('y');
                zombie.hsync();
              })
          .isInstanceOf(IOException.class);
      assertThat(hdfs.visible(directory)).isEmpty();
    }
  }

  /** Its length is still the recorded one: what is not synced cannot be seen. */
  @Test
  void R5_whoHasAPreparedFileOpenLosesItsLeaseAlsoBeforeAnythingOfItsCanBeSeen() throws Exception {
    Prepared prepared = prepare("a:1");
    Path staged = new Path(directory + "/" + hdfs.hidden(directory).get(0));
    try (DistributedFileSystem zombies = newClient()) {
      FSDataOutputStream zombie = zombies.append(staged);
      zombie.writeBytes("half a line");

      assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());

      assertThatThrownBy(zombie::hsync).isInstanceOf(IOException.class);
    }
    assertThat(hdfs.lines(directory)).containsExactly("a:1");
  }

  @Test
  void C6_ofManyFilesThatAreAskedForTogetherEachComesToItsOwnEnd() throws Exception {
    List<String> records = IntStream.range(0, MANY).mapToObj(i -> "a:" + (10 + i)).toList();
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    TransactionalFileSink<String> watched =
        Sinks.on(
            ScriptedStorage.following(
                uri -> HadoopStorages.open(uri, Map.of("dfs.replication", "1")), calls::add),
            configured().rollAtRecords(1));
    try (DrivenConnector<String, ?, ?> sink = Sinks.writer(watched.buildConnector(), "orders");
        DistributedFileSystem zombies = newClient()) {
      Prepared whole = sink.prepare(1, records.toArray(String[]::new));
      FSDataOutputStream zombie = zombies.append(staged(whole, 3));
      zombie.writeBytes("half a line");
      String target = "/a/part." + whole.id() + ".7";
      assertThat(hdfs.fileSystem().rename(staged(whole, 7), new Path(directory + target))).isTrue();

      assertThat(sink.commit(whole)).isEqualTo(CommitOutcome.committed());

      assertThatThrownBy(zombie::hsync).isInstanceOf(IOException.class);
      assertThat(hdfs.lines(directory)).isEqualTo(records);
      assertThat(calls)
          .filteredOn(call -> call.startsWith("settled "))
          .as("asked for alone")
          .hasSize(2);

      Prepared cut = sink.prepare(2, records.toArray(String[]::new));
      hdfs.write(directory, ".twophase/orders/." + cut.id() + ".0", "a:1");
      assertThat(sink.commit(cut)).isInstanceOf(CommitOutcome.Lost.class);
      assertThat(hdfs.visible(directory)).hasSize(2 * MANY - 1);
      assertThat(hdfs.hidden(directory)).contains(".twophase/orders/." + cut.id() + ".0");
    }
  }

  private Path staged(Prepared prepared, int part) {
    return new Path(directory + "/.twophase/orders/." + prepared.id() + "." + part);
  }

  @Test
  void R5_aZombiesOpenFileIsRemovedByItsSuccessorAndNeverComesBack() throws Exception {
    // With one thread the file is there when the record has been written.
    TransactionalConnector<String, ?, ?> oneThread = configured().ioThreads(1).buildConnector();
    try (DrivenConnector<String, ?, ?> zombie = Sinks.writer(oneThread, "orders")) {
      Object open = zombie.begin(0, "a:1");
      assertThat(hdfs.hidden(directory)).hasSize(1);
      try (DrivenConnector<String, ?, ?> successor = Sinks.committer(sink(), "orders")) {
        for (Unfinished unfinished : successor.connector().unfinished()) {
          successor.connector().abort(unfinished);
        }
      }
      assertThatThrownBy(() -> preCommit(zombie, open)).isInstanceOf(IOException.class);
    }
    assertThat(hdfs.visible(directory)).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static <T> void preCommit(DrivenConnector<String, T, ?> writer, Object open)
      throws Exception {
    writer.preCommit(0, (T) open);
  }

  @Test
  void C7_safeModeIsAnUnknownOutcomeAndTheNextTryPublishes() throws Exception {
    Prepared prepared = prepare("a:1", "b:2");
    safeMode(true);
    try {
      assertThatThrownBy(() -> commit(prepared))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("safe mode");
    } finally {
      safeMode(false);
    }

    assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());
    assertThat(hdfs.lines(directory)).containsExactly("a:1", "b:2");
  }

  @Test
  void W3_anExceededQuotaIsNamedLosesNothingAndAllGoesOnOnceItIsRaised() throws Exception {
    Path base = new Path(directory);
    Prepared before = prepare("a:1", "b:2");
    long names = hdfs.fileSystem().getContentSummary(base).getFileCount();
    hdfs.fileSystem().setQuota(base, names, HdfsConstants.QUOTA_DONT_SET);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      assertThatThrownBy(() -> writer.prepare(2, "c:3"))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "(?s)Cannot use the bucket .*/c: .*quota .* of directory "
                  + base.toUri().getPath()
                  + " is exceeded: quota=2 .*raise the quota.*")
          .message()
          .hasLineCount(1);
    }
    assertAllGoesOnWithoutQuota(base, before);
  }

  /** Unlike that of names it is not asked for before a file gets its block. */
  @Test
  void W3_anExceededQuotaOfSpaceIsNamedLosesNothingAndAllGoesOnOnceItIsRaised() throws Exception {
    Path base = new Path(directory);
    Prepared before = prepare("a:1", "b:2");
    hdfs.fileSystem().setQuota(base, HdfsConstants.QUOTA_DONT_SET, 1 << 20);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      assertThatThrownBy(() -> writer.prepare(2, "c:3"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("DiskSpace quota of " + base.toUri().getPath() + " is exceeded")
          .hasMessageContaining("raise the quota")
          .message()
          .hasLineCount(1);
    }
    assertAllGoesOnWithoutQuota(base, before);
  }

  @Test
  void C7_aQuotaExceededAtTheCommitIsAnUnknownOutcomeAndTheNextTryPublishes() throws Exception {
    Path base = new Path(directory);
    Prepared prepared = prepare("a:1", "b:2");
    ContentSummary used = hdfs.fileSystem().getContentSummary(base);
    hdfs.fileSystem()
        .setQuota(
            base, used.getFileCount() + used.getDirectoryCount(), HdfsConstants.QUOTA_DONT_SET);
    assertThatThrownBy(() -> commit(prepared))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot leave a mark in")
        .hasMessageContaining("raise the quota");
    assertThat(hdfs.visible(directory)).isEmpty();

    hdfs.fileSystem().setQuota(base, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
    assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());
    assertThat(hdfs.lines(directory)).containsExactly("a:1", "b:2");
  }

  /** Publishes, so that the name is known, and returns it. */
  private String commitElsewhereAndName(Prepared prepared) throws Exception {
    commit(prepared);
    return hdfs.visible(directory).get(0);
  }

  private void restage(Prepared prepared) throws Exception {
    hdfs.write(directory, ".twophase/orders/." + prepared.id() + ".0", "a:1\n");
  }

  private static DistributedFileSystem newClient() throws IOException {
    return (DistributedFileSystem)
        org.apache.hadoop.fs.FileSystem.newInstance(hdfs.fileSystem().getConf());
  }

  private static void safeMode(boolean on) throws IOException {
    hdfs.fileSystem()
        .setSafeMode(
            on
                ? org.apache.hadoop.fs.SafeModeAction.ENTER
                : org.apache.hadoop.fs.SafeModeAction.LEAVE);
  }

  private Prepared prepare(String... records) throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      return writer.prepare(1, records);
    }
  }

  private CommitOutcome commit(Prepared prepared) throws Exception {
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      return committer.commit(prepared);
    }
  }

  private void assertAllGoesOnWithoutQuota(Path base, Prepared before) throws Exception {
    assertThat(hdfs.visible(directory)).isEmpty();

    hdfs.fileSystem().setQuota(base, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
    assertThat(commit(before)).isEqualTo(CommitOutcome.committed());
    assertThat(commit(prepare("c:3"))).isEqualTo(CommitOutcome.committed());
    assertThat(hdfs.lines(directory)).containsExactly("a:1", "b:2", "c:3");
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return configured().buildConnector();
  }

  private TransactionalFileSink<String> configured() {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .hadoopOption("dfs.replication", "1")
        .bucketAssigner(new Sinks.BeforeColon());
  }
}
