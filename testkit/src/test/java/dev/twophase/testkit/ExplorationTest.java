package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.store.BrokenConnectors.BlackHole;
import dev.twophase.testkit.store.BrokenConnectors.CommitsInPreCommit;
import dev.twophase.testkit.store.BrokenConnectors.FailsWhenAlreadyCommitted;
import dev.twophase.testkit.store.BrokenConnectors.ForgetsWhatLingers;
import dev.twophase.testkit.store.BrokenConnectors.KeepsRecordsOnTheHeap;
import dev.twophase.testkit.store.BrokenConnectors.LosesRecords;
import dev.twophase.testkit.store.BrokenConnectors.NeverCommits;
import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExplorationTest {

  @Test
  void aCorrectSinkIsExhaustedToOneFault() {
    Exploration exploration =
        SinkKit.of(new MemorySink(MemoryConnector::new)).explore(Bound.oneFault());

    assertThat(exploration.findings()).isEmpty();
    assertThat(exploration.exhausted()).as(exploration.describe()).isTrue();
    assertThat(exploration.distinct()).isGreaterThan(1_000);
  }

  @Test
  void aCutShortExplorationOfTwoFaultsIsNeverCalledExhausted() {
    Bound bound = Bound.oneFault().withFaults(2).withBudget(Duration.ofMillis(500));
    Exploration exploration = SinkKit.of(new MemorySink(MemoryConnector::new)).explore(bound);

    assertThat(exploration.findings()).isEmpty();
    assertThat(exploration.inconclusive()).as(exploration.describe()).isZero();
    assertThat(exploration.cutShort()).isTrue();
    assertThat(exploration.exhausted()).isFalse();
  }

  @Test
  void schedulesAtRandomAreTheSameForTheSameSeedAndNoPartOfTheBound() {
    Bound bound = new Bound(0, 2, 2, Duration.ofMinutes(5)).withRandom(600, 7);
    Exploration once = SinkKit.of(new MemorySink(MemoryConnector::new)).explore(bound);
    Exploration again = SinkKit.of(new MemorySink(MemoryConnector::new)).explore(bound);

    assertThat(once.findings()).isEmpty();
    assertThat(once.random()).isEqualTo(600);
    assertThat(once.firings()).isEqualTo(again.firings());
    assertThat(once.distinct()).isEqualTo(again.distinct());
    assertThat(once.describe()).contains("0 faults", "600 of them", "seed 7");
  }

  @Test
  void schedulesAtRandomRefuteToo() {
    Bound bound = new Bound(0, 1, 1, Duration.ofMinutes(5)).withRandom(1_400, 1);
    Exploration exploration = SinkKit.of(new MemorySink(PublishesAgain::new)).explore(bound);

    assertThat(exploration.findings()).extracting(Judgement::verdict).contains(Verdict.DUPLICATE);
  }

  @Test
  void whatIsFoundIsShortened() {
    Bound bound = Bound.oneFault().withFaults(0);
    Exploration exploration = SinkKit.of(new MemorySink(BlackHole::new)).explore(bound);

    assertThat(exploration.findings())
        .extracting(finding -> finding.schedule().toString())
        .containsExactly("2pk/1 p=1; s0.in 1; settle");
  }

  static Stream<Arguments> brokenSinks() {
    return Stream.of(
        broken(CommitsInPreCommit::new, Verdict.EARLY, "C1"),
        broken(LosesRecords::new, Verdict.LOSS, "W1"),
        broken(PublishesAgain::new, Verdict.DUPLICATE, "C2"),
        broken(NeverCommits::new, Verdict.WEDGE, "C8"),
        broken(BlackHole::new, Verdict.LOSS, "W1"),
        broken(KeepsRecordsOnTheHeap::new, Verdict.LOSS, "W2"),
        broken(ForgetsWhatLingers::new, Verdict.LEAK, "R2"),
        broken(FailsWhenAlreadyCommitted::new, Verdict.WEDGE, "C2"));
  }

  private static Arguments broken(
      Function<String, MemoryConnector> connector, Verdict verdict, String rule) {
    return Arguments.of(connector, verdict, rule);
  }

  @ParameterizedTest
  @MethodSource("brokenSinks")
  void aBrokenSinkIsRefuted(
      Function<String, MemoryConnector> connector, Verdict verdict, String rule) {
    Bound bound = new Bound(1, 1, 1, Duration.ofMinutes(5));
    String title = verdict + " (" + rule + ")";
    Exploration exploration =
        SinkKit.of(new MemorySink(connector))
            .exploreUntil(bound, finding -> finding.title().equals(title));

    assertThat(exploration.findings())
        .anySatisfy(
            finding -> {
              assertThat(finding.verdict()).isEqualTo(verdict);
              assertThat(finding.rules()).first().isEqualTo(rule);
            });
  }
}
