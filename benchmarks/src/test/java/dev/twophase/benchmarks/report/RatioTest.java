package dev.twophase.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RatioTest {

  @Test
  void dividesRoundByRound() {
    Ratio ratio = Ratio.of("file", List.of(8.0, 30.0, 10.0), List.of(2.0, 10.0, 2.0));
    assertThat(ratio.spread()).isEqualTo(new Spread(4, 3, 5));
  }

  @Test
  void lineHasTheAgreedForm() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(new Ratio("file-commit", new Spread(4.256, 3.9, 12)).line())
          .isEqualTo("ratio file-commit median 4.26 min 3.90 max 12.00");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void sidesOfDifferentLengthAreAnError() {
    assertThatThrownBy(() -> Ratio.of("file", List.of(1.0, 2.0), List.of(1.0)))
        .hasMessageContaining("2 rounds, the other 1");
  }

  @Test
  void targetsSayWhetherTheyAreMet() {
    assertThat(Target.atLeast("sink alone", 4, 4).line())
        .isEqualTo("target met: sink alone at least 4.00, measured 4.00");
    assertThat(Target.atLeast("sink alone", 4, 3.9).line())
        .isEqualTo("target MISSED: sink alone at least 4.00, measured 3.90");
    assertThat(Target.atMost("adapter", 30, 30).met()).isTrue();
    assertThat(Target.atMost("adapter", 30, 30.1).met()).isFalse();
  }

  @Test
  void tableAlignsItsColumns() {
    String table =
        Table.ofSpreads("what")
            .row("ours", "records/s", new Spread(4000, 3000, 5000))
            .row("theirs, with a long name", "ms", new Spread(1, 0.5, 2))
            .text();
    assertThat(table)
        .isEqualTo(
            """
            what                           unit  median    min    max
            ---------------------------------------------------------
            ours                      records/s   4,000  3,000  5,000
            theirs, with a long name         ms    1.00  0.500   2.00
            """);
  }
}
