package dev.twophase.kafka.chaos;

import dev.twophase.kafka.SharedKafka;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** R3: with each change of parallelism everything prepared is committed once. */
class RescaleTest {

  private static final long RECORDS = 1_500;

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  @TempDir private Path savepoints;

  @AfterEach
  void usualPace() {
    Numbers.usualPace();
  }

  @Test
  void R3_twoThenFourThenOneSubtask() throws Exception {
    long quick = RECORDS / 3;
    Numbers.slowBehind(quick);
    try (ChaosJob job = ChaosJob.start(SharedKafka.cluster(), RECORDS)) {
      for (int parallelism : new int[] {4, 1}) {
        job.awaitMoreCommitted();
        job.rescale(parallelism, savepoints);
        quick += RECORDS / 3;
        Numbers.slowBehind(quick);
      }
      job.assertExactlyOnce();
    }
  }
}
