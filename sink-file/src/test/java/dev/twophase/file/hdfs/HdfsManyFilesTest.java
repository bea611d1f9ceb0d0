package dev.twophase.file.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.net.URI;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A checkpoint of more files than anybody should have. */
@Tag("nightly")
@Tag("one-flink-line")
class HdfsManyFilesTest {

  private static final int FILES = 100_000;
  private static final int BUCKETS = 200;

  @Test
  void C1_aHundredThousandFilesAreOneCommit() throws Exception {
    MiniHdfs hdfs = MiniHdfs.shared();
    URI directory = hdfs.directory("many");
    TransactionalConnector<String, ?, ?> sink =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .rollAtRecords(1)
            .ioThreads(64)
            .hadoopOption("dfs.replication", "1")
            .bucketAssigner(new Sinks.BeforeColon())
            .buildConnector();
    String[] records =
        IntStream.range(0, FILES).mapToObj(i -> "b" + i % BUCKETS + ":" + i).toArray(String[]::new);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink, "orders");
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink, "orders")) {
      long start = System.nanoTime();
      Prepared prepared = writer.prepare(0, records);
      long barrier = System.nanoTime();
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      System.out.printf(
          "%,d files: written and prepared in %,d ms, committed in %,d ms%n",
          FILES, (barrier - start) / 1_000_000, (System.nanoTime() - barrier) / 1_000_000);
    }
    ContentSummary published = hdfs.fileSystem().getContentSummary(new Path(directory));
    assertThat(published.getFileCount()).isEqualTo(FILES);
    assertThat(published.getLength())
        .isEqualTo(IntStream.range(0, FILES).mapToLong(i -> records[i].length() + 1L).sum());
    assertThat(hdfs.hidden(directory)).isEmpty();
  }
}
