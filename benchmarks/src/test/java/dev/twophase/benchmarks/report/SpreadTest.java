package dev.twophase.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void medianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
  }

  @Test
  void medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(Spread.of(List.of(1.0, 10.0, 2.0, 4.0))).isEqualTo(new Spread(3, 1, 10));
  }

  @Test
  void oneRoundIsItsOwnSpread() {
    assertThat(Spread.of(List.of(2.5))).isEqualTo(new Spread(2.5, 2.5, 2.5));
  }

  @Test
  void nothingMeasuredIsAnError() {
    assertThatThrownBy(() -> Spread.of(List.of())).hasMessageContaining("No rounds");
  }

  @Test
  void divisionByZeroIsAnError() {
    assertThatThrownBy(() -> Spread.of(List.of(1.0, 1.0 / 0))).hasMessageContaining("Infinity");
    assertThatThrownBy(() -> Spread.of(List.of(0.0 / 0))).hasMessageContaining("NaN");
  }

  @Test
  void cellsKeepThreeDigitsOrTheWholePart() {
    assertThat(new Spread(1_234_567.8, 0.1234, 12.345).cells())
        .containsExactly("1,234,568", "0.123", "12.3");
  }
}
