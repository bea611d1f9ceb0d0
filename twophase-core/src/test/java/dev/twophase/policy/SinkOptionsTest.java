package dev.twophase.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Test;

class SinkOptionsTest {

  private final SinkOptions defaults = SinkOptions.defaults();

  @Test
  void defaultsAreTheSafeChoice() {
    assertThat(defaults.guarantee()).isEqualTo(DeliveryGuarantee.EXACTLY_ONCE);
    assertThat(defaults.lossPolicy().quarantine()).isEmpty();
    assertThat(defaults.rewindPolicy()).isEqualTo(RewindPolicy.FAIL);
  }

  @Test
  void eachWithChangesOneValue() {
    SinkOptions changed =
        defaults
            .withGuarantee(DeliveryGuarantee.NONE)
            .withCommitTimeout(Duration.ofSeconds(1))
            .withRestartAllowance(Duration.ofSeconds(2))
            .withFlushInterval(Duration.ofSeconds(3))
            .withRewindPolicy(RewindPolicy.ACCEPT)
            .withLossPolicy(LossPolicy.quarantine(lost -> {}))
            .withMaxPending(4, 5);
    assertThat(changed.guarantee()).isEqualTo(DeliveryGuarantee.NONE);
    assertThat(changed.commitTimeout()).hasSeconds(1);
    assertThat(changed.restartAllowance()).hasSeconds(2);
    assertThat(changed.flushInterval()).hasSeconds(3);
    assertThat(changed.rewindPolicy()).isEqualTo(RewindPolicy.ACCEPT);
    assertThat(changed.lossPolicy().quarantine()).isPresent();
    assertThat(changed.maxPendingTransactions()).isEqualTo(4);
    assertThat(changed.maxPendingBytes()).isEqualTo(5);
  }

  @Test
  void valuesThatMakeNoSenseAreRefusedAtOnceByName() {
    assertThatThrownBy(() -> defaults.withCommitTimeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("commitTimeout is PT-1S: use PT0S to PT87600H");
    assertThatThrownBy(() -> defaults.withCommitTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
        .hasMessageContaining("use PT0S to PT87600H");
    assertThatThrownBy(() -> defaults.withMaxPending(0, 1))
        .hasMessageContaining("maxPendingTransactions is 0: use 1 or more");
    assertThatThrownBy(() -> defaults.withMaxPending(1, 0))
        .hasMessageContaining("maxPendingBytes is 0: use 1 or more");
    assertThatThrownBy(() -> defaults.withFlushInterval(Duration.ofNanos(10)))
        .hasMessageContaining("flushInterval is PT0.00000001S: use PT0.001S to");
  }
}
