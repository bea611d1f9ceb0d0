package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Directories that HDFS encrypts: it moves no file into one, and none out of it. */
@Tag("one-flink-line")
class HdfsEncryptionTest extends OnHdfs {

  @Test
  void C2_aDirectoryInAZoneIsWrittenToLikeAnyOther() throws Exception {
    encrypt("");
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink(), "orders")) {
      writer.preflight();
      Prepared prepared = writer.prepare(1, "a:1", "b:2");
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(hdfs.lines(directory)).containsExactly("a:1", "b:2");
    assertThat(hdfs.visibleFiles(directory)).hasSize(2).allMatch(FileStatus::isEncrypted);
  }

  @Test
  void E3_stagedFilesInAZoneOfTheirOwnAreRefusedWhenTheJobStarts() throws Exception {
    encrypt(".twophase");
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      assertThatThrownBy(writer::preflight)
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining(
              "in the encryption zone "
                  + path(".twophase").toUri().getPath()
                  + ", but the sink's directory is in none")
          .hasMessageContaining("in one encryption zone");
    }
  }

  @Test
  void W3_aBucketInAZoneOfItsOwnIsToldWhileItsRecordsCanBeReplayed() throws Exception {
    encrypt("a");
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      writer.preflight();
      assertThatThrownBy(() -> writer.prepare(1, "a:1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot use the bucket " + path("a"))
          .hasMessageContaining("in the encryption zone " + path("a").toUri().getPath());
    }
    assertThat(hdfs.visible(directory)).isEmpty();
  }

  @Test
  void C7_aBucketThatBecomesAZoneHoldsTheCommitUpUntilItIsNoneAnyMore() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink(), "orders")) {
      Prepared prepared = writer.prepare(1, "a:1");
      encrypt("a");
      assertThatThrownBy(() -> writer.commit(prepared))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("encryption zone")
          .hasMessageContaining("Nothing is lost: what is prepared stays where it is");
      assertThat(hdfs.visible(directory)).isEmpty();

      hdfs.fileSystem().delete(path("a"), true);
      assertThat(writer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(hdfs.lines(directory)).containsExactly("a:1");
  }

  private TransactionalConnector<String, ?, ?> sink() {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .hadoopOption("dfs.replication", "1")
        .bucketAssigner(new Sinks.BeforeColon())
        .buildConnector();
  }

  private void encrypt(String below) throws IOException {
    hdfs.fileSystem().mkdirs(path(below));
    hdfs.fileSystem().createEncryptionZone(path(below), MiniHdfs.KEY);
  }

  private Path path(String below) {
    return below.isEmpty() ? new Path(directory) : new Path(directory + "/" + below);
  }
}
