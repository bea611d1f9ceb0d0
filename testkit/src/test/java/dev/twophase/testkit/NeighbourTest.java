package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.testkit.internal.run.Namesakes;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sinks, and subtasks, whose names begin alike. */
class NeighbourTest {

  private static final Bound BOUND = Bound.oneFault().withBudget(Duration.ofMinutes(2));
  private static final String SETTLED =
      "2pk/1 p=1; ext neighbour; s0.in 1; s0.bar 1; done 1; s0.ntf 1; settle";

  /** A sink that shares its place. */
  private record Sharing(Function<SinkSetup, Object> made, boolean toleratesNeighbours)
      implements OnMemoryStore {

    static Sharing connector(Function<String, MemoryConnector> connector) {
      return new Sharing(setup -> connector.apply(setup.namespace()), true);
    }

    @Override
    public Object sink(SinkSetup setup) {
      return made.apply(setup);
    }

    @Override
    public Optional<Collection<?>> unfinished(String namespace) {
      return Optional.of(MemoryStore.of(namespace).unfinished());
    }
  }

  /** Knows its transactions by how the text of their ids begins. */
  private abstract static class ByPrefix extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    private transient String name;

    ByPrefix(String namespace) {
      super(namespace);
    }

    @Override
    public void open(ConnectorContext context) {
      super.open(context);
      name = context.sinkName();
    }

    List<TransactionId> beginningLike(String prefix) {
      return List.copyOf(store.unfinished()).stream()
          .filter(id -> id.toString().startsWith(prefix))
          .toList();
    }

    String name() {
      return name;
    }
  }

  private static final class AbortsByName extends ByPrefix {
    private static final long serialVersionUID = 1L;

    AbortsByName(String namespace) {
      super(namespace);
    }

    @Override
    public List<Unfinished> unfinished() {
      return beginningLike(name()).stream()
          .map(id -> new TransactionId(name(), id.subtask(), id.since(), id.nonce()))
          .map(Unfinished::of)
          .toList();
    }

    @Override
    public void abort(Unfinished transaction) {
      beginningLike(name()).stream()
          .filter(id -> id.nonce().equals(transaction.id().nonce()))
          .forEach(store::abort);
    }
  }

  private static final class CommitsByName extends ByPrefix {
    private static final long serialVersionUID = 1L;

    CommitsByName(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      beginningLike(name() + "-").forEach(store::commit);
      return super.commit(id, handle);
    }
  }

  private static final class AbortsBySubtask extends ByPrefix {
    private static final long serialVersionUID = 1L;

    AbortsBySubtask(String namespace) {
      super(namespace);
    }

    @Override
    public void abort(Unfinished transaction) {
      TransactionId id = transaction.id();
      beginningLike(name() + "." + id.subtask()).stream()
          .filter(each -> each.subtask() != id.subtask() || each.equals(id))
          .forEach(store::abort);
    }
  }

  @Test
  void R2_aSinkThatKnowsItsOwnByNameIsExhaustedBesideANeighbour() {
    Exploration explored = SinkKit.of(Sharing.connector(MemoryConnector::new)).explore(BOUND);

    assertThat(explored.findings()).as(explored.describe()).isEmpty();
    assertThat(explored.exhausted()).as(explored.describe()).isTrue();
    assertThat(explored.firings().get("neighbour in job")).isPositive();
  }

  @Test
  void theSameGoesForOtherSinks() {
    Sharing sink =
        new Sharing(
            setup ->
                TransactionalSink.of(
                    setup.sinkName(),
                    new MemoryConnector(setup.namespace()),
                    setup.options().withCommitTimeout(Duration.ZERO)),
            true);

    assertPasses(SinkKit.of(sink).replay(SETTLED));
    assertThat(explored(sink).firings().get("neighbour in job")).isPositive();
  }

  private static Exploration explored(Sharing sink) {
    Exploration explored = SinkKit.of(sink).explore(BOUND);
    assertThat(explored.findings()).as(explored.describe()).isEmpty();
    return explored;
  }

  @Test
  void R2_aSinkThatAbortsByPrefixIsRefuted() {
    Judgement found = first(Sharing.connector(AbortsByName::new), Verdict.LOSS);

    assertThat(found.rules()).first().isEqualTo("R2");
    assertThat(found.schedule().toString()).contains("ext neighbour");
    assertThat(found.why()).contains("a neighbour in the same place");
  }

  @Test
  void C1_aSinkThatCommitsByPrefixIsRefuted() {
    Judgement found = first(Sharing.connector(CommitsByName::new), Verdict.EARLY);

    assertThat(found.rules()).first().isEqualTo("C1");
    assertThat(found.schedule().toString()).contains("ext neighbour");
  }

  @Test
  void whoDoesNotSayThatHeSharesHasNoNeighbour() {
    Sharing alone = new Sharing(setup -> new AbortsByName(setup.namespace()), false);

    assertThat(explored(alone).firings()).doesNotContainKey("neighbour in job");
  }

  @Test
  void oneNeighbourIsEnough() {
    Judgement judgement =
        SinkKit.of(Sharing.connector(MemoryConnector::new))
            .replay("2pk/1 p=1; ext neighbour; ext neighbour; s0.in 1; settle");

    assertPasses(judgement);
  }

  @Test
  void R2_subtasks1And11AreToldApart() {
    List<Judgement> right = judgeNamesakes(Sharing.connector(MemoryConnector::new));
    List<Judgement> wrong = judgeNamesakes(Sharing.connector(AbortsBySubtask::new));

    assertThat(right).allSatisfy(NeighbourTest::assertPasses);
    assertThat(wrong).extracting(Judgement::verdict).allMatch(Verdict::accuses);
  }

  private static List<Judgement> judgeNamesakes(Sharing sink) {
    return Namesakes.schedules().stream()
        .map(Schedule::toString)
        .map(SinkKit.of(sink)::replay)
        .toList();
  }

  private static void assertPasses(Judgement judgement) {
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.PASS);
  }

  private static Judgement first(Sharing sink, Verdict verdict) {
    Exploration explored =
        SinkKit.of(sink).exploreUntil(BOUND, finding -> finding.verdict() == verdict);
    return Stream.of(explored)
        .flatMap(each -> each.findings().stream())
        .filter(finding -> finding.verdict() == verdict)
        .findFirst()
        .orElseThrow(() -> new AssertionError(explored.describe()));
  }
}
