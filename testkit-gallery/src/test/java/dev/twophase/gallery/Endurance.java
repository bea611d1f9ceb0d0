package dev.twophase.gallery;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import java.time.Duration;
import java.util.List;

/**
 * Runs the correct sinks until so many schedules have accused none, and a reference sink to its
 * end.
 */
final class Endurance {

  private static final long PROTOCOL_SCHEDULES = 1_000_000;
  private static final long OPERATOR_SCHEDULES = 10_000;
  private static final Bound TWO_FAULTS = Bound.oneFault().withFaults(2);
  private static final Duration WITHOUT_END = Duration.ofMinutes(10);

  /** Short turns, so that no sink has all the schedules to itself. */
  private static final Duration FIRST_TURN = Duration.ofSeconds(4);

  private long accusations;
  private long inconclusive;

  void run() {
    Exploration reference = explore(CorrectSinks.CONNECTOR, TWO_FAULTS.withBudget(WITHOUT_END));
    System.out.printf(
        "reference sink, two subtasks, two checkpoints, two faults: %s, %d schedules in %.1f s%n",
        reference.exhausted() ? "exhausted" : "NOT exhausted",
        reference.schedules(),
        reference.took().toMillis() / 1e3);
    List<GallerySink> others =
        CorrectSinks.connectors().stream().filter(sink -> sink != CorrectSinks.CONNECTOR).toList();
    long protocol =
        reference.schedules() + inTurns(others, PROTOCOL_SCHEDULES - reference.schedules());
    long operator = inTurns(CorrectSinks.flinkSinks(), OPERATOR_SCHEDULES);
    System.out.printf(
        "correct sinks: %d protocol and %d operator schedules, false accusations %d,"
            + " inconclusive %d%n",
        protocol, operator, accusations, inconclusive);
  }

  /** All sinks, in turns that double until enough schedules have been run. */
  private long inTurns(List<GallerySink> sinks, long enough) {
    long schedules = 0;
    Duration turn = FIRST_TURN;
    do {
      long round = 0;
      for (GallerySink sink : sinks) {
        round += explore(sink, TWO_FAULTS.withBudget(turn)).schedules();
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

  /** Schedules that accused a correct sink. */
  long accusations() {
    return accusations;
  }
}
