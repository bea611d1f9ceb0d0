package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.store.BrokenConnectors.ForgetsWhatLingers;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What may linger until it times out is a leak if it does so for longer. */
class TimeoutLeakTest {

  private static final Schedule CRASH = Schedule.parse("2pk/1 p=1; s0.in 1; s0.kill; settle");

  /** On a store that ends what lingers, or says so and does not. */
  private record TimingOut(boolean declared, boolean ends) implements OnMemoryStore {

    private MemorySink inner() {
      return new MemorySink(ForgetsWhatLingers::new);
    }

    @Override
    public Object sink(SinkSetup setup) {
      return inner().sink(setup);
    }

    @Override
    public SinkClaims claims() {
      return SinkClaims.exactlyOnce().withTransactionTimeout(Duration.ofMinutes(1));
    }

    @Override
    public Set<ExternalEvent> externalEvents() {
      return declared ? Set.of(ExternalEvent.EXPIRE) : Set.of();
    }

    @Override
    public boolean external(String namespace, ExternalEvent event) {
      return !ends || inner().external(namespace, event);
    }

    @Override
    public Optional<Collection<?>> unfinished(String namespace) {
      return inner().unfinished(namespace);
    }
  }

  @Test
  void R2_whatOutlivesItsTimeoutIsLeak() {
    assertThat(verdict(new Subject<>(new TimingOut(true, false)))).isEqualTo(Verdict.LEAK);
    assertThat(verdict(new Subject<>(new TimingOut(true, true)))).isEqualTo(Verdict.PASS);
  }

  @Test
  void whereNothingCanBeMadeToTimeOutTheRunsAreCountedThatWereNotSearched() {
    Subject<TestRecord> subject = new Subject<>(new TimingOut(false, false));
    assertThat(verdict(subject)).isEqualTo(Verdict.PASS);
    assertThat(subject.runsWithLeaksUnchecked()).isEqualTo(1);
  }

  private static Verdict verdict(Subject<?> subject) {
    return new Replay(subject).replay(CRASH).verdict();
  }
}
