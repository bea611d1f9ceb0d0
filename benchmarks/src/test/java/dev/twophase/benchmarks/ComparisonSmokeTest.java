package dev.twophase.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.benchmarks.core.CoreComparison;
import dev.twophase.benchmarks.file.FileComparison;
import dev.twophase.benchmarks.filebuckets.FileBucketsComparison;
import dev.twophase.benchmarks.filecommit.FileCommitComparison;
import dev.twophase.benchmarks.filecommit.HdfsCommitComparison;
import dev.twophase.benchmarks.fileparquet.FileParquetComparison;
import dev.twophase.benchmarks.jdbc.JdbcComparison;
import dev.twophase.benchmarks.jdbc.JdbcRecoveryComparison;
import dev.twophase.benchmarks.kafka.KafkaComparison;
import dev.twophase.benchmarks.kafka.KafkaRecoveryComparison;
import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.RunSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each comparison runs to its end and measures something; how fast is not for a test to say. */
class ComparisonSmokeTest {

  @TempDir Path directory;

  private String run(Comparison comparison, double scale) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Ratio ratio =
        comparison.run(
            new RunSettings(1, scale, directory, Optional.empty()),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(ratio.name()).isEqualTo(comparison.name());
    assertThat(ratio.spread().min()).isPositive();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void core() throws Exception {
    assertThat(run(new CoreComparison(), 0.02))
        .contains("direct call", "Sink V2 adapter", "Flink's TwoPhaseCommitSinkFunction", "target");
  }

  @Test
  void file() throws Exception {
    assertThat(run(new FileComparison(), 0.002))
        .contains("Writing to " + directory, "FileSink alone", "plain", "in a job", "target");
  }

  @Test
  void fileCommit() throws Exception {
    assertThat(run(new FileCommitComparison(), 0.02))
        .contains("Writing to " + directory, "barrier to visible", "peak heap", "target");
  }

  @Test
  void fileBuckets() throws Exception {
    assertThat(run(new FileBucketsComparison(), 0.02))
        .contains("Writing to " + directory, "in 1000 buckets", "1,000 buckets / 1 bucket");
  }

  @Tag("nightly")
  @Test
  void kafka() throws Exception {
    assertThat(run(new KafkaComparison(), 0.002))
        .contains("100-byte records", "1024-byte records", "KafkaSink", "us CPU/record", "target");
  }

  @Test
  void kafkaRecovery() throws Exception {
    assertThat(run(new KafkaRecoveryComparison(), 0.03))
        .contains("restore to committed", "threads when prepared", "1000 prepared", "target");
  }

  @Tag("nightly")
  @Test
  void jdbc() throws Exception {
    assertThat(run(new JdbcComparison(), 0.01))
        .contains("Flink exactly-once", "bare COPY", "bare LOAD DATA", "barrier to visible");
  }

  @Tag("nightly")
  @Test
  void jdbcRecovery() throws Exception {
    assertThat(run(new JdbcRecoveryComparison(), 0.02))
        .contains("rows and ledger", "COMMIT PREPARED alone", "target");
  }

  @Tag("nightly")
  @Test
  void hdfsCommit() throws Exception {
    assertThat(run(new HdfsCommitComparison(), 0.02))
        .contains("HDFS writes to " + directory, "barrier to visible", "peak heap", "target");
  }

  @Test
  void fileParquet() throws Exception {
    assertThat(run(new FileParquetComparison(), 0.005))
        .contains("Writing to " + directory, "bare writer", "FileSink", "target");
  }
}
