package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.hdfs.MiniHdfs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same on HDFS, where the open files of who was killed stay open. */
@Tag("nightly")
@Tag("one-flink-line")
@Timeout(value = 240)
class HdfsKillTest {

  private static final int KILLS = 2;

  private static MiniHdfs hdfs;

  @TempDir Path own;

  private URI directory;

  @Test
  void R1_aKilledJobsRecordsAreThereOnceAfterItIsRestored() throws Exception {
    hdfs = MiniHdfs.shared();
    directory = hdfs.directory("killed");
    JobProcess job = new JobProcess(directory, own);
    for (int kill = 0; kill < KILLS; kill++) {
      job.killAmidst(() -> hdfs.visible(directory).size());
    }
    assertThat(hdfs.hidden(directory)).as("what the killed job had open").isNotEmpty();
    assertThat(numbers()).doesNotHaveDuplicates().hasSizeLessThan((int) KilledJob.RECORDS);

    job.finish();
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, KilledJob.RECORDS).boxed().toList());
    assertThat(hdfs.hidden(directory)).isEmpty();
  }

  private List<Long> numbers() throws IOException {
    return hdfs.lines(directory).stream().map(NumbersJob::number).sorted().toList();
  }
}
