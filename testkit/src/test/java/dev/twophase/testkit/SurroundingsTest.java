package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What explorations do to a job and to the system beside it, where the sink's author lets them. */
class SurroundingsTest {

  private static final Bound BOUND = Bound.oneFault().withBudget(Duration.ofMinutes(2));

  /** Everything may happen to it. */
  private record Exposed(MemorySink sink, Set<FaultKind> kinds)
      implements SinkUnderTest<TestRecord> {

    static Exposed of(Function<String, ? extends MemoryConnector> connector) {
      return new Exposed(
          new MemorySink(
              connector,
              SinkClaims.exactlyOnce().withOrder(OrderScope.KEY).withRewind(RewindPolicy.FAIL)),
          Set.of());
    }

    @Override
    public Object sink(SinkSetup setup) {
      return sink.sink(setup);
    }

    @Override
    public TestRecord input(TestRecord record) {
      return record;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      return sink.readVisible(namespace);
    }

    @Override
    public SinkClaims claims() {
      return sink.claims();
    }

    @Override
    public boolean external(String namespace, ExternalEvent event) {
      return sink.external(namespace, event);
    }

    @Override
    public Set<ExternalEvent> externalEvents() {
      return Set.of(ExternalEvent.DOWN, ExternalEvent.EXPIRE);
    }

    @Override
    public Set<FaultKind> additionalKinds() {
      return kinds;
    }
  }

  private static final class IgnoresRewinds extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    IgnoresRewinds(String namespace) {
      super(namespace);
    }

    @Override
    public Optional<TransactionId> committedSince(long checkpointId) {
      return Optional.empty();
    }
  }

  private static final class TakesWhatIsGoneForDone extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    TakesWhatIsGoneForDone(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      CommitOutcome outcome = super.commit(id, handle);
      return outcome instanceof CommitOutcome.Lost ? CommitOutcome.alreadyCommitted() : outcome;
    }
  }

  @Test
  void aCorrectSinkIsExhaustedWithOutagesExpiriesSavepointsAndRewinds() {
    Exploration explored = SinkKit.of(Exposed.of(MemoryConnector::new)).explore(BOUND);

    assertThat(explored.findings()).as(explored.describe()).isEmpty();
    assertThat(explored.exhausted()).as(explored.describe()).isTrue();
    assertThat(
            Stream.of("outage in job", "expiry in job", "savepoint in job", "taken back in job")
                .map(explored.firings()::get))
        .allSatisfy(firings -> assertThat(firings).isPositive());
  }

  @Test
  void R6_aSinkThatDoesNotLookForARewindIsRefuted() {
    Judgement found = first(Exposed.of(IgnoresRewinds::new), Verdict.DUPLICATE);

    assertThat(found.schedule().toString()).contains("up none");
  }

  @Test
  void C6_aSinkThatTakesAbsenceForSuccessIsRefutedByAnExpiry() {
    Judgement found = first(Exposed.of(TakesWhatIsGoneForDone::new), Verdict.LOSS);

    assertThat(found.schedule().toString()).contains("ext expire");
  }

  @Test
  void lostRequestsAndUnknownOutcomesAreTriedWhereTheyAreAskedFor() {
    Exposed usual = Exposed.of(MemoryConnector::new);
    Exposed more = new Exposed(usual.sink(), Set.of(FaultKind.NOT_APPLIED, FaultKind.UNKNOWN));
    long before = SinkKit.of(usual).explore(BOUND).firings().get("commit in ntf");
    Exploration explored = SinkKit.of(more).explore(BOUND);

    assertThat(explored.exhausted()).as(explored.describe()).isTrue();
    assertThat(explored.findings()).isEmpty();
    assertThat(explored.firings().get("commit in ntf")).isEqualTo(before / 3 * 5);
  }

  private static Judgement first(Exposed sink, Verdict verdict) {
    Exploration explored =
        SinkKit.of(sink).exploreUntil(BOUND, finding -> finding.verdict() == verdict);
    return explored.findings().stream()
        .filter(finding -> finding.verdict() == verdict)
        .findFirst()
        .orElseThrow(() -> new AssertionError(explored.describe()));
  }
}
