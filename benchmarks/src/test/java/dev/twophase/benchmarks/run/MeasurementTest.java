package dev.twophase.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTest {

  @Test
  void survivesItsTextForm() {
    Measurement measurement = new Measurement(Map.of("records/s", 1.25e6, "peak-heap-MiB", 19.4));
    assertThat(Measurement.parse(measurement.text())).isEqualTo(measurement);
  }

  @Test
  void figureNotMeasuredIsNamed() {
    assertThatThrownBy(() -> new Measurement(Map.of("a", 1.0)).get("b"))
        .hasMessageContaining("'b'")
        .hasMessageContaining("a=1.0");
  }

  @Test
  void otherTextIsRefused() {
    assertThatThrownBy(() -> Measurement.parse("all well"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("all well");
  }
}
