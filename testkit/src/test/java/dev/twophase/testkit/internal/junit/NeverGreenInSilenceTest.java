package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.store.BrokenConnectors.BlackHole;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** An exploration that shows nothing, or not what it was meant to show, does not look like one. */
class NeverGreenInSilenceTest {

  private static final Bound SMALL = new Bound(1, 1, 1, Duration.ofMinutes(5));

  /** What the nodes other than passing ones threw. */
  private static List<Throwable> outcomes(SinkUnderTest<?> sink, Bound bound) {
    List<Throwable> outcomes = new ArrayList<>();
    new ContractNodes(sink, bound, "NeverGreenInSilence", "NeverGreenInSilenceTest")
        .all()
        .filter(node -> !node.getDisplayName().equals("capabilities"))
        .forEach(node -> run(node, outcomes));
    return outcomes;
  }

  private static void run(DynamicNode node, List<Throwable> outcomes) {
    if (node instanceof DynamicContainer container) {
      container.getChildren().forEach(child -> run(child, outcomes));
      return;
    }
    try {
      ((DynamicTest) node).getExecutable().execute();
    } catch (Throwable thrown) {
      outcomes.add(thrown);
    }
  }

  @Test
  void refutationsThatDoNotRepeatFail() {
    Set<String> runs = ConcurrentHashMap.newKeySet();
    AtomicReference<String> spoiled = new AtomicReference<>();
    MemorySink flaky =
        new MemorySink(
            namespace -> {
              if (runs.add(namespace) && runs.size() >= 100) {
                spoiled.compareAndSet(null, namespace);
              }
              return namespace.equals(spoiled.get())
                  ? new BlackHole(namespace)
                  : new MemoryConnector(namespace);
            });

    assertThat(outcomes(flaky, SMALL))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .containsPattern("refuted \\d+ times, but not on repetition")
        .contains("the sink or the test is not deterministic", "schedule: 2pk/1 p=1");
  }

  @Test
  void aBudgetWithoutAnyScheduleThatHasAFaultFails() {
    assertThat(outcomes(new MemorySink(MemoryConnector::new), SMALL.withBudget(Duration.ZERO)))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("no schedule with a fault was run within the budget", "Bound.withBudget");
  }

  @Test
  void aBoundOfNoFaultsIsSkippedWithTheReason() {
    assertThat(outcomes(new MemorySink(MemoryConnector::new), SMALL.withFaults(0)))
        .singleElement()
        .isInstanceOf(TestAbortedException.class)
        .asString()
        .contains("bound() says 0 faults");
  }

  @Test
  void anExplorationThatAnErrorEndsIsNotCalledExhausted() {
    Explorer explorer =
        new Explorer(new Subject<>(new MemorySink(OutOfMemory::new)), Bound.oneFault());

    assertThatThrownBy(explorer::exploreAll).isInstanceOf(OutOfMemoryError.class);

    Exploration reached = explorer.result();
    assertThat(reached.exhausted()).isFalse();
    assertThat(reached.describe()).startsWith("not exhausted").contains("ended with");
  }

  @Test
  void aSinkWhoseStackOverflowsIsFound() {
    Judgement judgement =
        SinkKit.of(new MemorySink(Recursion::new)).replay("2pk/1 p=1; s0.in 1; settle");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.why()).contains("StackOverflowError");
  }

  private static final class OutOfMemory extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    OutOfMemory(String namespace) {
      super(namespace);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context) {
      throw new OutOfMemoryError("for this test");
    }
  }

  private static final class Recursion extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    Recursion(String namespace) {
      super(namespace);
    }

    @Override
    @SuppressWarnings("InfiniteRecursion") // that is its mistake
    public void write(TransactionId transaction, TestRecord record, WriteContext context) {
      write(transaction, record, context);
    }
  }
}
