package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.store.BrokenConnectors.BlackHole;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
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
        .contains("the sink or the test is not deterministic", "found LOSS: ")
        .satisfies(
            text -> assertThat(Pattern.compile("2pk/1 p=1").matcher(text).results()).hasSize(1));
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
  void aBudgetThatEndsBeforeWhatIsRequiredFails() {
    Bound bound = SMALL.withRequired(1);
    Subject<?> subject = new Subject<>(new MemorySink(MemoryConnector::new));

    assertThat(new Explorer(subject, bound).exploreAll().sufficient()).isTrue();
    assertThat(outcomes(new MemorySink(MemoryConnector::new), bound.withBudget(Duration.ZERO)))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("all schedules with up to 1 faults are required", "Bound.withRequired");
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
  void aBudgetThatEndsBeforeAnyCommitIsStruckFails() {
    Duration budget = Duration.ofSeconds(1);
    assertThat(outcomes(new OutlastsBudget(budget, 4), SMALL.withBudget(budget)))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("was over before any fault struck [", "preCommit", "Bound.withBudget");
  }

  @Test
  void noScriptIsBegunOnceTheBudgetIsUsedUp() {
    Exploration reached =
        new Explorer(
                new Subject<>(new MemorySink(MemoryConnector::new)),
                SMALL.withBudget(Duration.ZERO))
            .exploreAll();

    assertThat(reached.cutShort()).isTrue();
    assertThat(reached.schedules()).isEqualTo(1);
  }

  @Test
  void aSinkThatFailsWithoutAnyFaultIsToldOnceAndNotExplored() {
    assertThat(outcomes(new MemorySink(Recursion::new), SMALL))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("WEDGE", "StackOverflowError", "2pk/1 p=1; s0.in 1; settle")
        .doesNotContain("budget");
  }

  @Test
  void aCleanUpThatAlwaysFailsIsTold() {
    SinkUnderTest<?> leaves =
        new Plain() {
          @Override
          public void cleanUp(String namespace) {
            super.cleanUp(namespace);
            throw new AssertionError("the disk says no");
          }
        };
    assertThat(outcomes(leaves, SMALL))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .containsPattern("cleanUp\\(...\\) failed in \\d+ runs")
        .contains("AssertionError: the disk says no");
  }

  @Test
  void aMistakeOfTheTestIsToldOnceAndNothingIsExplored() {
    MemorySink fails =
        new MemorySink(
            namespace -> {
              throw new IllegalStateException("oops");
            });
    assertThat(outcomes(fails, SMALL))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("INCONCLUSIVE", "sink(...) failed: java.lang.IllegalStateException: oops");
  }

  @Test
  void anExplorationThatAnErrorEndsIsNotCalledExhausted() {
    SinkUnderTest<?> endsIt =
        new Plain() {
          @Override
          public boolean freezesAttempts() {
            throw new OutOfMemoryError("for this test");
          }
        };
    Explorer explorer = new Explorer(new Subject<>(endsIt), Bound.oneFault());

    assertThatThrownBy(explorer::exploreAll)
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("freezesAttempts() failed: java.lang.OutOfMemoryError");

    Exploration reached = explorer.result();
    assertThat(reached.exhausted()).isFalse();
    assertThat(reached.describe()).startsWith("not exhausted").contains("ended with");
  }

  @Test
  void aSinkThatRunsOutOfMemoryOnceHasAFailedAttemptAndEndsNoTestRun() {
    OutOfMemory.left.set(1);
    Judgement judgement =
        SinkKit.of(new MemorySink(OutOfMemory::new)).replay("2pk/1 p=1; s0.in 1; settle");

    assertThat(OutOfMemory.left).hasValue(0);
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.PASS);
  }

  @Test
  void aSinkThatAlwaysRunsOutOfMemoryIsNotAccusedForMaybeTheTestNeedsMore() {
    OutOfMemory.left.set(Integer.MAX_VALUE);
    assertThat(outcomes(new MemorySink(OutOfMemory::new), SMALL))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("INCONCLUSIVE", "java.lang.OutOfMemoryError: for this test", "-Xmx");
  }

  @Test
  void aSinkWhoseStackOverflowsIsFound() {
    Judgement judgement =
        SinkKit.of(new MemorySink(Recursion::new)).replay("2pk/1 p=1; s0.in 1; settle");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.why()).contains("StackOverflowError");
  }

  @Test
  void classesThatHoldTheExternalSystemAreNoAccusation() {
    SinkUnderTest<?> sink =
        new Plain() {
          @Override
          public List<String> isolatedClasses() {
            return List.of("dev.twophase.testkit.store");
          }
        };
    assertThat(outcomes(sink, SMALL))
        .singleElement()
        .isInstanceOf(AssertionFailedError.class)
        .asString()
        .contains("INCONCLUSIVE", "isolatedClasses()", "What stands for the external system");
  }

  private static class Plain implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return new MemoryConnector(setup.namespace());
    }
  }

  /** From one of its runs on, each takes until the budget is over. */
  private static final class OutlastsBudget extends Plain {
    private final long end;
    private final int quick;
    private final Set<String> namespaces = new HashSet<>();

    OutlastsBudget(Duration budget, int quick) {
      // Later than the exploration's own end, which begins to count after this.
      this.end = System.nanoTime() + 2 * budget.toNanos();
      this.quick = quick;
    }

    @Override
    public Object sink(SinkSetup setup) {
      namespaces.add(setup.namespace());
      while (namespaces.size() >= quick && System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return super.sink(setup);
    }
  }

  private static final class OutOfMemory extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger left = new AtomicInteger();

    OutOfMemory(String namespace) {
      super(namespace);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      if (left.getAndUpdate(many -> Math.max(0, many - 1)) > 0) {
        throw new OutOfMemoryError("for this test");
      }
      super.write(transaction, record, context);
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
