package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.schedule.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** At which choices a run deviates, and how. */
public final class Plan {

  public static final Plan NONE =
      new Plan(new Choices.Point[0], new int[0], new int[0], 0, List.of());

  private final Choices.Point[] points;
  private final int[] options;
  private final int[] freezingSteps;
  private final int faults;
  private final List<OwnCalls.Strike> strikes;

  private Plan(
      Choices.Point[] points,
      int[] options,
      int[] freezingSteps,
      int faults,
      List<OwnCalls.Strike> strikes) {
    this.points = points;
    this.options = options;
    this.freezingSteps = freezingSteps;
    this.faults = faults;
    this.strikes = strikes;
  }

  public Plan with(Choices.Point point, int option) {
    OwnCalls.Call own = point.own();
    if (own != null) {
      FaultKind kind = point.cell().kinds().get(option - 1);
      List<OwnCalls.Strike> more = new ArrayList<>(strikes);
      more.add(new OwnCalls.Strike(own, kind, point.stepNumber()));
      return new Plan(points, options, freezingSteps, faults + 1, List.copyOf(more));
    }
    Choices.Point[] morePoints = Arrays.copyOf(points, points.length + 1);
    int[] moreOptions = Arrays.copyOf(options, options.length + 1);
    morePoints[points.length] = point;
    moreOptions[options.length] = option;
    int[] moreFreezing = freezingSteps;
    if (!point.free() && point.freezes(option)) {
      moreFreezing = Arrays.copyOf(freezingSteps, freezingSteps.length + 1);
      moreFreezing[freezingSteps.length] = point.stepNumber();
    }
    return new Plan(
        morePoints, moreOptions, moreFreezing, faults + (point.free() ? 0 : 1), strikes);
  }

  /** Whether a call freezes in the n-th step, counted from 1. */
  boolean freezesIn(int step) {
    for (int each : freezingSteps) {
      if (each == step) {
        return true;
      }
    }
    return false;
  }

  /** What is to go wrong in threads of the sink's own, in the order of their steps. */
  List<OwnCalls.Strike> strikes() {
    return strikes;
  }

  int size() {
    return points.length;
  }

  int position(int index) {
    return points[index].position();
  }

  /** Where a deviation was planned, for messages. */
  String describe(int index) {
    return points[index].describe();
  }

  int option(int index) {
    return options[index];
  }

  /** Number of deviations that count as a fault. */
  public int faults() {
    return faults;
  }
}
