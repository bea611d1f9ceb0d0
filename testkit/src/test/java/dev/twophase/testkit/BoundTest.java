package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BoundTest {

  @Test
  void whatNoBudgetWouldComeNearIsRefused() {
    Bound bound = Bound.oneFault();
    assertThatThrownBy(() -> bound.withFaults(Integer.MAX_VALUE))
        .hasMessage("faults must be from 0 to 8: 2147483647");
    assertThatThrownBy(() -> bound.withParallelism(300))
        .hasMessage("parallelism must be from 1 to 64: 300");
    assertThatThrownBy(() -> bound.withCheckpoints(0))
        .hasMessage("checkpoints must be from 1 to 32: 0");
  }
}
