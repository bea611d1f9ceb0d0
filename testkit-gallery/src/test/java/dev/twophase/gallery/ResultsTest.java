package dev.twophase.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultsTest {

  @ParameterizedTest
  @CsvSource({
    "27, 2, 0, 0, true, true",
    "26, 2, 0, 0, true, false",
    "27, 3, 0, 0, true, false",
    "27, 2, 1, 0, true, false",
    "27, 2, 0, 1, true, false",
    "27, 2, 0, 0, false, false"
  })
  void eachOfThemCanFailTheProof(
      int killed, int faults, long accusations, long unsure, boolean exhausted, boolean proven) {
    Results results =
        new Results(killed, 27, faults, 0.1, accusations, unsure, exhausted, 60_000, 700, 6);

    assertThat(results.proven()).isEqualTo(proven);
    assertThat(results.targets().stream().noneMatch(line -> line.contains("MISSED")))
        .isEqualTo(proven);
  }

  @Test
  void whatIsTooSlowIsToldAndDoesNotDecide() {
    Results slow = new Results(27, 27, 2, 1.5, 0, 0, true, 49_999, 599, 4.9);

    assertThat(slow.proven()).isTrue();
    assertThat(slow.targets())
        .filteredOn(line -> line.contains("MISSED"))
        .containsExactly(
            "target median s <= 1: MISSED with 1.5",
            "target protocol schedules/s/core >= 50000: MISSED with 49999.0",
            "target operator schedules/s/core >= 600: MISSED with 599.0",
            "target cluster schedules/s >= 5: MISSED with 4.9");
    assertThat(slow.summary())
        .isEqualTo(
            "mutants killed 27/27, max faults 2, median s 1.50, false accusations 0, protocol"
                + " schedules/s/core 49999, operator schedules/s/core 599, cluster schedules/s"
                + " 4.9");
  }
}
