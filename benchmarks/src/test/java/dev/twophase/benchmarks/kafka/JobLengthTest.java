package dev.twophase.benchmarks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobLengthTest {

  private final JobLength length = new JobLength(300_000, 3);

  /** Else the checkpoint of its first moments is all that counts: 17.8 records/s were measured. */
  @Test
  void aJobThatWasOverTooSoonIsRunAgainWithMoreRecords() {
    length.took(0.5);
    assertThat(length.saysNothing()).isTrue();
    assertThat(length.records()).isEqualTo(1_800_000);
    length.took(2.9);
    assertThat(length.saysNothing()).isFalse();
  }

  /** A sink that stalls is not measured until it does not. */
  @Test
  void aJobThatTookTooLongCounts() {
    length.took(60);
    assertThat(length.saysNothing()).isFalse();
    assertThat(length.records()).isEqualTo(15_000);
  }

  @Test
  void aJobIsNotRepeatedForEver() {
    for (int job = 0; job < 5; job++) {
      length.took(0.001);
    }
    assertThat(length.saysNothing()).isFalse();
  }
}
