package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.internal.gate.OwnLine;
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
public final class Choices extends OwnLine {

  /** In place of a position: a call in a thread of the sink's own has none. */
  static final int OWN_THREAD = -1;

  private static final int NEVER = -1;
  private static final Point[] NO_POINTS = {};

  private static final double FREE_RATE = 0.3;

  private Plan plan = Plan.NONE;
  private @Nullable Random random;
  private int mostFaults;
  private double faultRate;
  private boolean full;
  private int nextDeviation;
  private int position;
  private int recorded;
  private int stepsBegun;
  private int lastDeviationIn;
  private OwnCalls ownCalls = new OwnCalls(List.of());
  private int[] positions = new int[256];
  private int[] options = new int[256];
  private boolean[] free = new boolean[256];
  private Cell[] cells = new Cell[256];
  private Step[] steps = new Step[256];
  private int[] stepNumbers = new int[256];

  /**
   * Follows a plan from here on.
   *
   * @param mayGrow whether a longer plan may deviate where that costs a fault: if not, such points
   *     are not remembered
   */
  public void begin(Plan next, boolean mayGrow) {
    plan = next;
    full = !mayGrow;
    nextDeviation = 0;
    position = 0;
    recorded = 0;
    stepsBegun = 0;
    lastDeviationIn = 0;
    if (!next.strikes().isEmpty() || ownCalls.isUsed()) {
      ownCalls = new OwnCalls(next.strikes());
    }
    random = null;
  }

  /**
   * The plan is made as the run goes.
   *
   * @param most how many deviations may cost a fault
   * @param rate how likely each of these is
   */
  public void beginAtRandom(Random next, int most, double rate) {
    begin(Plan.NONE, true);
    random = next;
    mostFaults = most;
    faultRate = rate;
  }

  /** The plan of this run, as far as it has been followed or made. */
  public Plan plan() {
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
  public int choose(int count, boolean costsNothing, Cell cell, Step at) {
    int here = position++;
    Random dice = random;
    if (dice != null) {
      return chooseAtRandom(dice, new Point(here, count, costsNothing, cell, at, stepsBegun, null));
    }
    if (nextDeviation < plan.size()) {
      if (plan.position(nextDeviation) != here) {
        return 0;
      }
      if (plan.option(nextDeviation) >= count) {
        // Another point than the one that was planned for: the sink did not do the same.
        return 0;
      }
      lastDeviationIn = stepsBegun;
      return plan.option(nextDeviation++);
    }
    if (full && !costsNothing) {
      return 0;
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
  public boolean planFollowed() {
    return nextDeviation == plan.size() || !ownCalls.followed();
  }

  /** Where the first planned deviation was that the run did not come to. */
  public String missed() {
    return plan.describe(nextDeviation);
  }

  /** Whether a call was to be struck in a thread of the sink's own, and did not come. */
  public boolean strikeMissed() {
    return !ownCalls.followed();
  }

  /** The calls of the run in threads of the sink's own. */
  OwnCalls ownCalls() {
    return ownCalls;
  }

  int stepNumber() {
    return stepsBegun;
  }

  /**
   * The points at which a longer plan can deviate.
   *
   * @param onlyFree whether to leave out those where that costs a fault; they are if the plan could
   *     not grow
   * @param known where they are counted
   */
  public Point[] points(boolean onlyFree, Cells known) {
    // What strikes in a thread of the sink's own may come before what happens in later steps, and
    // after what happened in the same or earlier ones: so each pair is run once. Two strikes in
    // one step have no order, and one may be there because of the other: they are run both ways.
    List<OwnCalls.Strike> strikes = plan.strikes();
    int struckIn = strikes.isEmpty() ? NEVER : strikes.get(strikes.size() - 1).stepNumber();
    List<Point> own =
        onlyFree ? List.of() : ownCalls.points(known, Math.max(lastDeviationIn, struckIn));
    int count = own.size();
    for (int i = 0; i < recorded; i++) {
      count += isOffered(i, onlyFree, struckIn) ? 1 : 0;
    }
    if (count == 0) {
      return NO_POINTS;
    }
    Point[] points = own.toArray(new Point[count]);
    int next = own.size();
    for (int i = 0; i < recorded; i++) {
      if (isOffered(i, onlyFree, struckIn)) {
        points[next++] =
            new Point(positions[i], options[i], free[i], cells[i], steps[i], stepNumbers[i], null);
      }
    }
    return points;
  }

  private boolean isOffered(int index, boolean onlyFree, int struckIn) {
    return free[index]
        ? stepNumbers[index] >= struckIn
        : !onlyFree && stepNumbers[index] > struckIn;
  }

  /**
   * A point at which a run may deviate.
   *
   * @param own the call in a thread of the sink's own that this is; null if it is none
   */
  public record Point(
      int position,
      int options,
      boolean free,
      Cell cell,
      Step step,
      int stepNumber,
      OwnCalls.@Nullable Call own) {

    /** Whether an option means that the call freezes. */
    boolean freezes(int option) {
      List<FaultKind> kinds = cell.kinds();
      return option <= kinds.size() && kinds.get(option - 1) == FaultKind.DELAYED;
    }

    /** The same point, counted elsewhere. */
    public Point in(Cells other) {
      return new Point(position, options, free, other.like(cell), step, stepNumber, own);
    }

    public String describe() {
      return cell.what()
          + (own == null ? "" : " in a thread of the sink's own")
          + " at '"
          + step
          + "'";
    }
  }
}
