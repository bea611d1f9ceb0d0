package dev.twophase.testkit;

import dev.twophase.testkit.internal.junit.ContractNodes;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Extend it, and JUnit 5 runs your sink through every schedule up to a bound. There is one node per
 * point at which a fault can happen; what breaks the sink gets a node of its own, with the shortest
 * schedule that shows it and a report that draws it; when it is found again at another point, the
 * node there is skipped and says so. Then come the capabilities that were not checked, skipped with
 * the reason. The last node says which bound was reached, and whether the budget cut it short. To
 * run one schedule again, set the system property {@value SinkKit#REPLAY_PROPERTY} to its line, or
 * put the line into a {@link ScheduleTest}.
 *
 * <p>JUnit calls it in one thread; the methods of the sink are called by one at a time unless
 * {@link SinkUnderTest#concurrentRuns} says otherwise.
 *
 * @param <IN> type of the sink's records
 */
public abstract class ExactlyOnceSinkContract<IN> implements SinkUnderTest<IN> {

  /** How far to go; by default {@link Bound#ofProfile()}. */
  protected Bound bound() {
    return Bound.ofProfile();
  }

  /** The nodes described above. */
  @TestFactory
  final Stream<DynamicNode> isExactlyOnce() {
    Bound bound =
        Objects.requireNonNull(bound(), "bound() returned null: return Bound.ofProfile()");
    return new ContractNodes(this, bound, getClass().getSimpleName(), getClass().getName()).all();
  }
}
