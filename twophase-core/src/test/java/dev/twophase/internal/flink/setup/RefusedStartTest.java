package dev.twophase.internal.flink.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.error.SetupRefusedException;
import org.apache.flink.runtime.throwable.ThrowableClassifier;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.junit.jupiter.api.Test;

/** Whether a refused set-up ends the job. */
class RefusedStartTest {

  private final SetupRefusedException refused =
      new SetupRefusedException("orders", "a setting", "wrong", "Mend it");

  private static boolean endsTheJob(Throwable error) {
    return ThrowableClassifier.findThrowableOfThrowableType(
            error, ThrowableType.NonRecoverableError)
        .isPresent();
  }

  @Test
  void E3_aSetupRefusedAtTheStartEndsTheJob() {
    assertThat(RefusedStart.of(refused, 0)).isSameAs(refused);
    assertThat(endsTheJob(refused)).isTrue();
  }

  @Test
  void C7_aSetupSpoiledMeanwhileKeepsTheJobAndWhatItHasPrepared() {
    RuntimeException atRestart = RefusedStart.of(refused, 1);
    assertThat(endsTheJob(atRestart)).isFalse();
    assertThat(atRestart).hasMessageContaining("a setting is wrong. Mend it");
  }
}
