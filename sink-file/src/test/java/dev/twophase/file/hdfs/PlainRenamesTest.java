package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop file systems whose rename says no more than true or false. */
@Tag("one-flink-line")
class PlainRenamesTest {

  private static final int RACES = 100;

  @TempDir Path root;

  @Test
  void C2_committingTwiceIsOneCommit() throws Exception {
    Prepared prepared = prepare("a:1", "b:2");

    assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());
    assertThat(commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    assertThat(Sinks.lines(root)).containsExactly("a:1", "b:2");
    assertThat(Sinks.hidden(root)).isEmpty();
  }

  @Test
  void C2_bothMoversOfOneFileAtOnceMakeOneFileEveryTime() throws Exception {
    MoverRace.run(this::sink, RACES);
    assertThat(Sinks.lines(root)).hasSize(RACES).doesNotHaveDuplicates();
    assertThat(Sinks.hidden(root)).isEmpty();
  }

  /** On a local disk, whose names are links, the staged one that remains tells them apart. */
  @Test
  void C6_aManifestThatWasMovedAwayIsCalledLostUnlessItListedNothing() throws Exception {
    TransactionalConnector<String, ?, ?> sink =
        configured(Refusing.class).manifests().buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders", 0);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      Prepared records = writer.prepare(0, "a:1");
      Prepared empty = writer.prepare(1);
      committer.commit(records, 1);
      committer.commit(empty, 2);
      assertThat(committer.commit(records, 1)).isEqualTo(CommitOutcome.alreadyCommitted());
      FileUtils.deleteDirectory(root.resolve("_manifests").toFile());

      assertThat(committer.commit(records, 1)).isInstanceOf(CommitOutcome.Lost.class);
      assertThat(committer.commit(empty, 2)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(Sinks.lines(root)).containsExactly("a:1");
  }

  @Test
  void C6_neitherAForeignFileNorADirectoryIsTouched() throws Exception {
    Prepared prepared = prepare("a:1");
    Path staged = root.resolve(Sinks.hidden(root).get(0));
    byte[] bytes = Files.readAllBytes(staged);
    commit(prepared);
    Path target = root.resolve(Sinks.visible(root).get(0));
    Files.write(staged, bytes);
    Files.writeString(target, "foreign");

    assertThatThrownBy(() -> commit(prepared)).isInstanceOf(CommitRefusedException.class);
    assertThat(target).hasContent("foreign");

    Files.delete(target);
    Files.createDirectory(target);
    assertThatThrownBy(() -> commit(prepared)).isInstanceOf(CommitRefusedException.class);
    assertThat(target).isEmptyDirectory();
    assertThat(staged).exists();
  }

  @Test
  void C7_aRenameThatAnswersFalseIsNoSuccessAndTheNextTryPublishes() throws Exception {
    Prepared prepared = prepare("a:1");
    Refusing.refuses = true;
    try {
      assertThatThrownBy(() -> commit(prepared))
          .isInstanceOf(IOException.class)
          .hasStackTraceContaining("answered no more than false");
    } finally {
      Refusing.refuses = false;
    }
    assertThat(Sinks.visible(root)).isEmpty();

    assertThat(commit(prepared)).isEqualTo(CommitOutcome.committed());
    assertThat(Sinks.lines(root)).containsExactly("a:1");
  }

  /** Says no by a value, as many file systems do. */
  public static final class Refusing extends RawLocalFileSystem {

    private static boolean refuses;

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      return !refuses && super.rename(from, to);
    }
  }

  @Test
  void C6_whatAnObserverDoesNotSeeYetIsNotLost() throws Exception {
    Prepared prepared = prepare("a:1");
    Observer.lags = true;

    assertThat(commitSeenBy(Observer.class, prepared)).isEqualTo(CommitOutcome.committed());
    assertThat(Sinks.lines(root)).containsExactly("a:1");
  }

  @Test
  void C7_whereNobodyTellsWhatTheObserverMissesTheOutcomeIsUnknown() throws Exception {
    Prepared prepared = prepare("a:1");
    Observer.lags = true;
    Observer.syncs = false;

    assertThatThrownBy(() -> commitSeenBy(Observer.class, prepared))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no active NameNode");

    Observer.syncs = true;
    assertThat(commitSeenBy(Observer.class, prepared)).isEqualTo(CommitOutcome.committed());
  }

  @Test
  void C6_whatIsMissingStillAfterALookBehindTheObserverIsLost() throws Exception {
    Prepared prepared = prepare("a:1");
    Files.delete(root.resolve(Sinks.hidden(root).get(0)));

    assertThat(commit(prepared)).as("no observers").isInstanceOf(CommitOutcome.Lost.class);
    assertThat(commitSeenBy(Observer.class, prepared)).isInstanceOf(CommitOutcome.Lost.class);
  }

  @AfterEach
  void healObserver() {
    Observer.lags = false;
    Observer.syncs = true;
  }

  /** Shows no file until it is told to catch up. */
  public static final class Observer extends RawLocalFileSystem {

    private static boolean lags;
    private static boolean syncs = true;

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      FileStatus found = super.getFileStatus(path);
      if (lags && found.isFile()) {
        throw new FileNotFoundException(path.toString());
      }
      return found;
    }

    @Override
    public void msync() throws IOException {
      if (!syncs) {
        throw new IOException("no active NameNode");
      }
      lags = false;
    }
  }

  @Test
  void E3_aMountPointThatLeadsToLocalFilesIsRefusedWithTheReason() throws Exception {
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(URI.create("viewfs://tables/data/orders"))
            .name("orders")
            .hadoopOption("fs.viewfs.mounttable.tables.link./data", root.toUri().toString())
            .buildConnector();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      assertThatThrownBy(writer::preflight)
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("leads to file:" + root)
          .hasMessageContaining("overwrites, and copies");
    }
    assertThat(Sinks.visible(root)).isEmpty();
  }

  /** Why it is refused. */
  @Test
  void hadoopsLocalRenameOverwritesAndMovesTwoFiles() throws Exception {
    Configuration mounts = new Configuration();
    mounts.set("fs.viewfs.mounttable.tables.link./data", root.toUri().toString());
    try (FileSystem mounted = FileSystem.newInstance(URI.create("viewfs://tables/"), mounts)) {
      for (String name : List.of("one", "other")) {
        try (OutputStream file = mounted.create(new org.apache.hadoop.fs.Path("/data/" + name))) {
          file.write(name.getBytes(StandardCharsets.UTF_8));
        }
      }
      assertThat(
              mounted.rename(
                  new org.apache.hadoop.fs.Path("/data/one"),
                  new org.apache.hadoop.fs.Path("/data/other")))
          .isTrue();
    }
    assertThat(root.resolve("other")).hasContent("one");
    assertThat(Sinks.hidden(root)).containsExactly(Path.of(".other.crc"));
  }

  @Test
  void E3_aFileSystemWithoutHsyncIsRefusedByName() throws Exception {
    TransactionalConnector<String, ?, ?> sink = seenBy(Unsynced.class);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders")) {
      assertThatThrownBy(writer::preflight)
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining(Unsynced.class.getName() + " has no hsync");
    }
    assertThat(Sinks.hidden(root)).isEmpty();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      writer.preflight();
    }
  }

  /** Its streams take hsync for a flush, and do not say so. */
  public static final class Unsynced extends RawLocalFileSystem {

    @Override
    public FSDataOutputStream createNonRecursive(
        org.apache.hadoop.fs.Path file,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      FSDataOutputStream out =
          super.createNonRecursive(
              file, permission, flags, bufferSize, replication, blockSize, progress);
      return new FSDataOutputStream(new FilterOutputStream(out), null);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://bucket/orders",
        "gs://bucket/orders",
        "oss://bucket/orders",
        "abfs://c@account/orders"
      })
  void E3_aStoreWithoutRenameInOneStepIsRefusedWithTheReason(String directory) {
    assertThatThrownBy(() -> TransactionalFileSink.forLines(URI.create(directory)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(directory)
        .hasMessageContaining("not known to be renamed in one step");
  }

  @Test
  void E3_aColonInTheDirectoryIsRefusedWhereTheJobIsBuilt() {
    assertThatThrownBy(
            () -> TransactionalFileSink.forLines(URI.create("hdfs://namenode:8020/data/12:30")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("directory is hdfs://namenode:8020/data/12:30, with a colon");
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

  private CommitOutcome commitSeenBy(Class<? extends FileSystem> type, Prepared prepared)
      throws Exception {
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(seenBy(type), "orders")) {
      return committer.commit(prepared);
    }
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return seenBy(Refusing.class);
  }

  private TransactionalConnector<String, ?, ?> seenBy(Class<? extends FileSystem> type) {
    return configured(type).buildConnector();
  }

  private TransactionalFileSink<String> configured(Class<? extends FileSystem> type) {
    Map<String, String> raw = Map.of("fs.file.impl", type.getName());
    return Sinks.on(
            uri -> HadoopStorages.open(uri, raw),
            TransactionalFileSink.forLines(root).name("orders"))
        .bucketAssigner(new Sinks.BeforeColon());
  }
}
