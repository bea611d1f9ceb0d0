package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The choices of one run. A run asks at each point where something may go wrong; the plan says
 * where to deviate from what is normal, which is always option 0. Points behind the last planned
 * deviation are remembered, so that the runs that deviate there can be planned next.
 */
final class Choices {

  private static final Point[] NO_POINTS = {};

  private static final double FREE_RATE = 0.3;

  private Plan plan = Plan.NONE;
  private @Nullable Random random;
  private int mostFaults;
  private double faultRate;
  private int nextDeviation;
  private int position;
  private int recorded;
  private int stepsBegun;
  private int[] positions = new int[256];
  private int[] options = new int[256];
  private boolean[] free = new boolean[256];
  private Cell[] cells = new Cell[256];
  private Step[] steps = new Step[256];
  private int[] stepNumbers = new int[256];

  void begin(Plan next) {
    plan = next;
    nextDeviation = 0;
    position = 0;
    recorded = 0;
    stepsBegun = 0;
    random = null;
  }

  /**
   * The plan is made as the run goes.
   *
   * @param most how many deviations may cost a fault
   * @param rate how likely each of these is
   */
  void beginAtRandom(Random next, int most, double rate) {
    begin(Plan.NONE);
    random = next;
    mostFaults = most;
    faultRate = rate;
  }

  /** The plan of this run, as far as it has been followed or made. */
  Plan plan() {
    return plan;
  }

  /** A step begins; returns whether a call freezes in it, according to the plan. */
  boolean stepBegins() {
    return plan.freezesIn(++stepsBegun);
  }

  /**
   * Chooses.
   *
   * @param count number of options, the normal one included
   * @param costsNothing whether a deviation here is no fault
   * @param cell what the deviation is counted as
   * @param at the step that is due or under way
   */
  int choose(int count, boolean costsNothing, Cell cell, Step at) {
    int here = position++;
    Random dice = random;
    if (dice != null) {
      return chooseAtRandom(dice, new Point(here, count, costsNothing, cell, at, stepsBegun));
    }
    if (nextDeviation < plan.size()) {
      if (plan.position(nextDeviation) != here) {
        return 0;
      }
      if (plan.option(nextDeviation) >= count) {
        // Another point than the one that was planned for: the sink did not do the same.
        return 0;
      }
      return plan.option(nextDeviation++);
    }
    if (recorded == positions.length) {
      grow();
    }
    positions[recorded] = here;
    options[recorded] = count;
    free[recorded] = costsNothing;
    cells[recorded] = cell;
    steps[recorded] = at;
    stepNumbers[recorded] = stepsBegun;
    recorded++;
    return 0;
  }

  private int chooseAtRandom(Random dice, Point point) {
    if (point.options() < 2) {
      return 0;
    }
    boolean allowed = point.free() || plan.faults() < mostFaults;
    if (!allowed || dice.nextDouble() >= (point.free() ? FREE_RATE : faultRate)) {
      return 0;
    }
    int option = 1 + dice.nextInt(point.options() - 1);
    if (!point.free() && point.freezes(option)) {
      // In which step a call freezes must be known before the step begins.
      return 0;
    }
    plan = plan.with(point, option);
    nextDeviation = plan.size();
    return option;
  }

  private void grow() {
    int size = recorded * 2;
    positions = Arrays.copyOf(positions, size);
    options = Arrays.copyOf(options, size);
    free = Arrays.copyOf(free, size);
    cells = Arrays.copyOf(cells, size);
    steps = Arrays.copyOf(steps, size);
    stepNumbers = Arrays.copyOf(stepNumbers, size);
  }

  /** Whether the run came to every planned deviation. */
  boolean planFollowed() {
    return nextDeviation == plan.size();
  }

  /**
   * The points at which a longer plan can deviate.
   *
   * @param onlyFree whether to leave out those where that costs a fault
   */
  Point[] points(boolean onlyFree) {
    int count = onlyFree ? 0 : recorded;
    for (int i = 0; onlyFree && i < recorded; i++) {
      count += free[i] ? 1 : 0;
    }
    if (count == 0) {
      return NO_POINTS;
    }
    Point[] points = new Point[count];
    int next = 0;
    for (int i = 0; i < recorded; i++) {
      if (free[i] || !onlyFree) {
        points[next++] =
            new Point(positions[i], options[i], free[i], cells[i], steps[i], stepNumbers[i]);
      }
    }
    return points;
  }

  /** A point at which a run may deviate. */
  record Point(int position, int options, boolean free, Cell cell, Step step, int stepNumber) {

    /** Whether an option means that the call freezes. */
    boolean freezes(int option) {
      List<FaultKind> kinds = cell.kinds();
      return option <= kinds.size() && kinds.get(option - 1) == FaultKind.DELAYED;
    }

    /** The same point, counted elsewhere. */
    Point in(Cells other) {
      return new Point(position, options, free, other.like(cell), step, stepNumber);
    }

    String describe() {
      return cell.what() + " at '" + step + "'";
    }
  }
}
