package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.Sinks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job in a JVM of its own, which is killed and restored from its last checkpoint. */
@Timeout(value = 240)
class KillTest {

  private static final int KILLS = 2;

  @TempDir Path directory;
  @TempDir Path own;

  @Test
  void R1_aKilledJobsRecordsAreThereOnceAfterItIsRestored() throws Exception {
    JobProcess job = new JobProcess(directory.toUri(), own);
    for (int kill = 0; kill < KILLS; kill++) {
      job.killAmidst(() -> Sinks.visible(directory).size());
    }
    assertThat(numbers()).doesNotHaveDuplicates().hasSizeLessThan((int) KilledJob.RECORDS);

    job.finish();
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, KilledJob.RECORDS).boxed().toList());
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  private List<Long> numbers() throws IOException {
    return Sinks.lines(directory).stream().map(NumbersJob::number).sorted().toList();
  }
}
