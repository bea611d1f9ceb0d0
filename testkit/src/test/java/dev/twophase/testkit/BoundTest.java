package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class BoundTest {

  private final @Nullable String before = System.getProperty(Bound.PROFILE_PROPERTY);

  @AfterEach
  void restoreProfile() {
    if (before == null) {
      System.clearProperty(Bound.PROFILE_PROPERTY);
    } else {
      System.setProperty(Bound.PROFILE_PROPERTY, before);
    }
  }

  @Test
  void withoutAProfileOneFaultIsLookedAtForAMinute() {
    System.clearProperty(Bound.PROFILE_PROPERTY);

    assertThat(Bound.ofProfile()).isEqualTo(new Bound(1, 2, 2, Duration.ofSeconds(60)));
  }

  @Test
  void theNightlyProfileLooksAtTwoFaultsAndAtMoreAtRandom() {
    System.setProperty(Bound.PROFILE_PROPERTY, "nightly");

    assertThat(Bound.ofProfile()).isEqualTo(new Bound(2, 2, 2, Duration.ofMinutes(30), 10_000, 1));
  }

  @Test
  void anUnknownProfileIsRefused() {
    System.setProperty(Bound.PROFILE_PROPERTY, "weekly");

    assertThatThrownBy(Bound::ofProfile)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("twophase.profile=weekly: use pull-request or nightly");
  }

  @Test
  void whatNoBudgetWouldComeNearIsRefused() {
    Bound bound = Bound.oneFault();
    assertThatThrownBy(() -> bound.withFaults(Integer.MAX_VALUE))
        .hasMessage("faults must be from 0 to 8: 2147483647");
    assertThatThrownBy(() -> bound.withParallelism(300))
        .hasMessage("parallelism must be from 1 to 64: 300");
    assertThatThrownBy(() -> bound.withCheckpoints(0))
        .hasMessage("checkpoints must be from 1 to 32: 0");
    assertThatThrownBy(() -> bound.withRequired(2)).hasMessage("required must be from -1 to 1: 2");
  }

  @Test
  void whatIsRequiredIsNeverMoreThanIsLookedAt() {
    assertThat(Bound.nightly().withRequired(2).withFaults(1).required()).isEqualTo(1);
    assertThat(Bound.nightly().required()).isEqualTo(-1);
  }
}
