package dev.twophase.testkit.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.schedule.FaultKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallGateTest {

  private final List<String> effects = new ArrayList<>();
  private final List<FaultKind> fired = new ArrayList<>();
  private @Nullable FaultKind next;

  private final CallGate gate =
      new CallGate(
          new CallDecider() {
            @Override
            public @Nullable FaultKind arriving(CallGate at, String callClass) {
              return next;
            }

            @Override
            public void fired(CallGate at, String callClass, FaultKind kind) {
              fired.add(kind);
            }
          },
          0,
          0);

  @Test
  void withoutAFaultTheCallPasses() throws Exception {
    assertThat(gate.<Object>call("commit", () -> effects.add("done"))).isEqualTo(true);
    assertThat(fired).isEmpty();
  }

  @Test
  void errorComesBeforeTheEffect() {
    next = FaultKind.ERROR;
    assertThatThrownBy(() -> gate.run("commit", () -> effects.add("done")))
        .isInstanceOf(IOException.class);
    assertThat(effects).isEmpty();
    assertThat(fired).containsExactly(FaultKind.ERROR);
  }

  @Test
  void appliedHasItsEffectAndStillFails() {
    next = FaultKind.APPLIED;
    assertThatThrownBy(() -> gate.run("commit", () -> effects.add("done")))
        .isInstanceOf(IOException.class);
    assertThat(effects).containsExactly("done");
    assertThat(fired).containsExactly(FaultKind.APPLIED);
  }

  @Test
  void appliedIsNotClaimedWhereTheCallItselfFails() {
    next = FaultKind.APPLIED;
    IllegalStateException own = new IllegalStateException("own");
    assertThatThrownBy(
            () ->
                gate.run(
                    "commit",
                    () -> {
                      throw own;
                    }))
        .isSameAs(own);
    assertThat(fired).isEmpty();
  }

  @Test
  void notAppliedHasNoEffectAndDoesNotSaySo() {
    next = FaultKind.NOT_APPLIED;
    assertThatThrownBy(() -> gate.run("commit", () -> effects.add("done")))
        .hasMessageContaining("may have taken effect");
    assertThat(effects).isEmpty();
    assertThat(fired).containsExactly(FaultKind.NOT_APPLIED);
  }

  @Test
  void unknownIsAnErrorWhateverBecomesOfTheCall() {
    next = FaultKind.UNKNOWN;
    assertThatThrownBy(() -> gate.run("commit", () -> effects.add("done")))
        .hasMessageContaining("may have taken effect");
    assertThatThrownBy(
            () ->
                gate.run(
                    "commit",
                    () -> {
                      throw new IllegalStateException("own");
                    }))
        .hasMessage("own");
    assertThat(effects).containsExactly("done");
    assertThat(fired).containsOnly(FaultKind.UNKNOWN);
  }

  @Test
  void delayedIsHeldBackAndThenGoesOn() throws Exception {
    next = FaultKind.DELAYED;
    gate.freezeBy(() -> effects.add("thawed"));
    gate.run("commit", () -> effects.add("done"));
    assertThat(effects).containsExactly("thawed", "done");
    assertThat(fired).containsExactly(FaultKind.DELAYED);
  }

  @Test
  void delayedGoesNoFurtherInADeadAttempt() {
    next = FaultKind.DELAYED;
    gate.freezeBy(gate::sever);
    assertThatThrownBy(() -> gate.run("commit", () -> effects.add("done")))
        .isInstanceOf(AttemptKilledError.class);
    assertThat(effects).isEmpty();
  }

  @Test
  void killSeversAllFurtherCalls() {
    next = FaultKind.KILL;
    assertThatThrownBy(() -> gate.run("commit", () -> effects.add("done")))
        .isInstanceOf(AttemptKilledError.class);
    next = null;
    assertThatThrownBy(() -> gate.run("abort", () -> effects.add("cleaned up")))
        .isInstanceOf(AttemptKilledError.class);
    assertThat(effects).isEmpty();
    assertThat(fired).containsExactly(FaultKind.KILL);
  }
}
