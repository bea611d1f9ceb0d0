package dev.twophase.testkit.internal.explore.choice;

import dev.twophase.testkit.schedule.FaultKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** At which choices a run deviates, and how. */
public final class Plan {

  public static final Plan NONE = new Plan(new int[0], new int[0], new int[0], 0, null);

  private final int[] positions;
  private final int[] options;
  private final int[] freezingSteps;
  private final int faults;
  private final OwnCalls.@Nullable Strike strike;

  private Plan(
      int[] positions,
      int[] options,
      int[] freezingSteps,
      int faults,
      OwnCalls.@Nullable Strike strike) {
    this.positions = positions;
    this.options = options;
    this.freezingSteps = freezingSteps;
    this.faults = faults;
    this.strike = strike;
  }

  public Plan with(Choices.Point point, int option) {
    OwnCalls.Call own = point.own();
    if (own != null) {
      FaultKind kind = point.cell().kinds().get(option - 1);
      return new Plan(
          positions,
          options,
          freezingSteps,
          faults + 1,
          new OwnCalls.Strike(own, kind, point.stepNumber()));
    }
    int[] morePositions = Arrays.copyOf(positions, positions.length + 1);
    int[] moreOptions = Arrays.copyOf(options, options.length + 1);
    morePositions[positions.length] = point.position();
    moreOptions[options.length] = option;
    int[] moreFreezing = freezingSteps;
    if (!point.free() && point.freezes(option)) {
      moreFreezing = Arrays.copyOf(freezingSteps, freezingSteps.length + 1);
      moreFreezing[freezingSteps.length] = point.stepNumber();
    }
    return new Plan(
        morePositions, moreOptions, moreFreezing, faults + (point.free() ? 0 : 1), strike);
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

  /** What is to go wrong in a thread of the sink's own; null if nothing is. */
  OwnCalls.@Nullable Strike strike() {
    return strike;
  }

  int size() {
    return positions.length;
  }

  int position(int index) {
    return positions[index];
  }

  int option(int index) {
    return options[index];
  }

  /** Number of deviations that count as a fault. */
  public int faults() {
    return faults;
  }
}
