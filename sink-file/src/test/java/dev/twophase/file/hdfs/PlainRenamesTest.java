package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop file systems whose rename says no more than true or false. */
@Tag("one-flink-line")
class PlainRenamesTest {

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

  private TransactionalConnector<String, ?, ?> sink() {
    Map<String, String> raw = Map.of("fs.file.impl", Refusing.class.getName());
    return Sinks.on(
            uri -> HadoopStorages.open(uri, raw),
            TransactionalFileSink.forLines(root).name("orders"))
        .bucketAssigner(new Sinks.BeforeColon())
        .buildConnector();
  }
}
