package dev.twophase.kafka.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.twophase.error.RewindDetectedException;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.policy.RewindPolicy;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** R6 in real jobs: older savepoint, clone beside the original, clone after it, without state. */
class RewindJobTest {

  private static final long RECORDS = 900;

  @RegisterExtension static final SharedKafka KAFKA = new SharedKafka();

  @TempDir private Path savepoints;

  private final String topic = SharedKafka.uniqueName("rewound");

  @AfterEach
  void usualPace() {
    Numbers.usualPace();
  }

  private ChaosJob from(Optional<String> savepoint, RewindPolicy policy) throws Exception {
    return ChaosJob.from(SharedKafka.cluster(), topic, RECORDS, savepoint, policy);
  }

  private void assertRefused(Optional<String> savepoint) throws Exception {
    try (ChaosJob job = from(savepoint, RewindPolicy.FAIL)) {
      Throwable failure = job.failure();
      assertThat(ExceptionUtils.findThrowable(failure, RewindDetectedException.class))
          .as(() -> ExceptionUtils.stringifyException(failure))
          .hasValueSatisfying(
              refused ->
                  assertThat(refused)
                      .hasMessageContaining("Sink '" + topic + "'")
                      .hasMessageContaining("RewindPolicy.ACCEPT"));
    }
  }

  @Test
  void R6_eachWayBackHasItsResult() throws Exception {
    SharedKafka.cluster().createTopic(topic, 3);
    Numbers.slowBehind(RECORDS / 4);
    String older;
    String latest;
    try (ChaosJob original = from(Optional.empty(), RewindPolicy.FAIL)) {
      original.awaitCommitted(RECORDS / 6);
      older = original.savepoint(savepoints);
      original.awaitCommittedBehind(Numbers.latest());
      // A clone beside the original, from a savepoint that the original has left behind.
      assertRefused(Optional.of(older));
      original.awaitMoreCommitted();
      latest = original.stop(savepoints);
    }
    assertRefused(Optional.of(older));
    assertRefused(Optional.empty());
    Numbers.usualPace();
    try (ChaosJob clone = from(Optional.of(latest), RewindPolicy.FAIL)) {
      clone.assertExactlyOnce();
    }
    // A second clone, now that the first has committed something.
    assertRefused(Optional.of(latest));
    assertReplayed(older);
    // Of the line that was left behind, and usually with a higher number than that job has reached.
    assertRefused(Optional.of(latest));
  }

  /** What was written after that savepoint is there twice, and nothing else is. */
  private void assertReplayed(String savepoint) throws Exception {
    try (ChaosJob accepted = from(Optional.of(savepoint), RewindPolicy.ACCEPT)) {
      accepted.awaitEnd();
      await()
          .atMost(ChaosJob.PATIENCE)
          .until(() -> Collections.frequency(accepted.seen(), RECORDS) == 2);
      List<Long> seen = accepted.seen();
      long first =
          LongStream.rangeClosed(1, RECORDS)
              .filter(number -> Collections.frequency(seen, number) == 2)
              .findFirst()
              .orElseThrow();
      assertThat(first).isGreaterThan(1);
      await()
          .atMost(ChaosJob.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(accepted.seen())
                      .containsExactlyInAnyOrderElementsOf(
                          LongStream.concat(
                                  LongStream.rangeClosed(1, RECORDS),
                                  LongStream.rangeClosed(first, RECORDS))
                              .boxed()
                              .toList()));
    }
  }
}
