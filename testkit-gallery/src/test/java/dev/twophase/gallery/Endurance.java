package dev.twophase.gallery;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import java.time.Duration;
import java.util.List;

/**
 * Runs the correct sinks until so many schedules have accused none, and a reference sink to its
 * end. Those count that had a fault fired and differ from each other in what was called.
 */
final class Endurance {

  private static final long PROTOCOL_SCHEDULES = 1_000_000;
  private static final long OPERATOR_SCHEDULES = 10_000;
  private static final Bound TWO_FAULTS = Bound.oneFault().withFaults(2);
  private static final Duration FOR_REFERENCE = Duration.ofSeconds(60);

  /** Short turns, so that no sink has all the schedules to itself. */
  private static final Duration FIRST_TURN = Duration.ofSeconds(4);

  private long accusations;
  private long inconclusive;
  private boolean exhausted;

  void run() {
    Exploration reference = explore(CorrectSinks.CONNECTOR, TWO_FAULTS.withBudget(FOR_REFERENCE));
    exhausted = reference.exhausted();
    System.out.printf(
        "reference sink, two subtasks, two checkpoints, two faults: %s, %d schedules in %.1f s%n",
        exhausted ? "exhausted" : "NOT exhausted",
        reference.schedules(),
        reference.took().toMillis() / 1e3);
    List<GallerySink> others =
        CorrectSinks.connectors().stream().filter(sink -> sink != CorrectSinks.CONNECTOR).toList();
    long protocol =
        reference.distinct() + inTurns(others, PROTOCOL_SCHEDULES - reference.distinct());
    long operator = inTurns(CorrectSinks.flinkSinks(), OPERATOR_SCHEDULES);
    System.out.printf(
        "correct sinks: %d protocol and %d operator schedules, all distinct, false accusations %d,"
            + " inconclusive %d%n",
        protocol, operator, accusations, inconclusive);
  }

  /** All sinks, in turns that double until enough schedules have been run. */
  private long inTurns(List<GallerySink> sinks, long enough) {
    long schedules = 0;
    Duration turn = FIRST_TURN;
    Bound bound = TWO_FAULTS;
    do {
      long round = 0;
      boolean cutShort = false;
      for (GallerySink sink : sinks) {
        Exploration exploration = explore(sink, bound.withBudget(turn));
        round += exploration.distinct();
        cutShort |= exploration.cutShort();
      }
      if (!cutShort) {
        // More time would show nothing more.
        bound = bound.withFaults(bound.faults() + 1);
      }
      // A longer turn runs the schedules of the shorter one again: they count once.
      schedules = Math.max(schedules, round);
      turn = turn.multipliedBy(2);
    } while (schedules < enough);
    return schedules;
  }

  private Exploration explore(GallerySink sink, Bound bound) {
    Exploration exploration = SinkKit.of(sink).explore(bound);
    System.out.println(sink.name() + ": " + exploration.describe());
    exploration.findings().stream().map(Judgement::describe).forEach(System.out::println);
    accusations += exploration.refuted();
    inconclusive += exploration.inconclusive();
    return exploration;
  }

  /** Whether the reference sink was run to its end in its time. */
  boolean exhausted() {
    return exhausted;
  }

  /** Schedules that proved nothing. */
  long inconclusive() {
    return inconclusive;
  }

  /** Schedules that accused a correct sink. */
  long accusations() {
    return accusations;
  }
}
