package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.choice.Cell;
import dev.twophase.testkit.internal.explore.choice.Cells;
import dev.twophase.testkit.internal.explore.choice.Choices;
import dev.twophase.testkit.internal.explore.choice.Plan;
import dev.twophase.testkit.internal.explore.script.Script;
import dev.twophase.testkit.internal.explore.script.Trial;
import dev.twophase.testkit.internal.run.LateReads;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/**
 * All schedules, up to the bound, whose first fault happens at one point. Shares nothing with other
 * subtrees, so that several can be run at once and add up to the same in any order.
 */
final class Subtree implements Callable<Subtree> {

  /** A sink that does not do the same each time may accuse itself in one run and not in others. */
  private static final int MOST_SUSPECTS = 16;

  private static final int MOST_MORE_FAULTS = 3;

  final Tally tally = new Tally();
  final Cells cells;
  private final Map<Verdict, List<Suspect>> suspects = new EnumMap<>(Verdict.class);
  private final int fewest;
  private final int most;
  private final FaultPoint faultPoint;
  private final BooleanSupplier budgetLeft;
  private final Trial faultless;
  private final Trial trial;
  private final LateReads late;
  private final int places;

  /**
   * A run that accuses the sink.
   *
   * @param plan of the run
   * @param found what was found in it, in words
   */
  record Suspect(Plan plan, String found) {}

  /**
   * @param fewest schedules with fewer faults are run only to find those with more
   * @param most faults
   * @param faultless has run the script without any
   * @param places in how many places of the script something may go wrong
   */
  Subtree(
      Subject<?> subject,
      Script script,
      int fewest,
      int most,
      FaultPoint faultPoint,
      Trial faultless,
      int places,
      Cells cells,
      LateReads late,
      BooleanSupplier budgetLeft) {
    this.cells = cells;
    this.fewest = fewest;
    this.most = most;
    this.faultPoint = faultPoint;
    this.faultless = faultless;
    this.places = places;
    this.late = late;
    this.budgetLeft = budgetLeft;
    this.trial = new Trial(subject, script, cells).lookingAgain(late);
  }

  @Override
  public Subtree call() {
    Choices.Point point = faultPoint.point();
    if (faultPoint.random() > 0) {
      runAtRandom();
    } else if (point == null) {
      count(Plan.NONE, faultless);
    } else if (most > 0) {
      Choices.Point mine = point.in(cells);
      for (int option = 1; option < mine.options(); option++) {
        descend(Plan.NONE, mine, option);
      }
    }
    return this;
  }

  private void runAtRandom() {
    for (int i = 0; i < faultPoint.random() && budgetLeft.getAsBoolean(); i++) {
      Random random = new Random(faultPoint.seed() + i);
      int faults = most + 1 + random.nextInt(MOST_MORE_FAULTS);
      Plan plan = trial.runAtRandom(random, faults, (double) faults / Math.max(1, places));
      tally.random();
      count(plan, trial);
    }
  }

  private void descend(Plan before, Choices.Point point, int option) {
    if (!budgetLeft.getAsBoolean()) {
      tally.cutShort();
      return;
    }
    Plan plan = before.with(point, option);
    Cell cell = point.cell();
    cell.offers(point.options());
    // Named only where somebody asks: this is done for every schedule.
    run(plan, late.any() ? cell + "=" + option : "");
    if (trial.strikeMissed()) {
      cell.missed();
      return;
    }
    if (plan.faults() >= fewest && trial.inconclusive() == null) {
      if (trial.allFired()) {
        cell.fired(option);
      } else {
        cell.impossible(option);
      }
    }
    for (Choices.Point next : trial.points(plan.faults() >= most)) {
      for (int deeper = 1; deeper < next.options(); deeper++) {
        descend(plan, next, deeper);
      }
    }
  }

  private void run(Plan plan, String kind) {
    trial.run(plan, kind, plan.faults() < most);
    if (plan.faults() >= fewest) {
      count(plan, trial);
    }
  }

  private void count(Plan plan, Trial ran) {
    Verdict verdict = ran.verdict();
    tally.executed(ran.trace(), plan.faults() > 0 && ran.allFired());
    String why = ran.inconclusive();
    if (verdict.accuses()) {
      tally.refuted();
      List<Suspect> alike = suspects.computeIfAbsent(verdict, key -> new ArrayList<>(1));
      if (alike.size() < MOST_SUSPECTS) {
        alike.add(new Suspect(plan, ran.found()));
      }
    } else if (why != null && ran.mistakeOfTest()) {
      tally.mistakeOfTest(why);
    } else if (why != null) {
      tally.inconclusive(why);
    }
  }

  /** What accuses the sink, the first few of each verdict, as they were found. */
  Map<Verdict, List<Suspect>> suspects() {
    return suspects;
  }

  /** Runs a plan again, to write down what it does. */
  Schedule write(Plan plan) {
    return trial.write(plan);
  }
}
