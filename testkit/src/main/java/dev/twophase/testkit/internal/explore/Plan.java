package dev.twophase.testkit.internal.explore;

import java.util.Arrays;

/** At which choices a run deviates, and how. */
final class Plan {

  static final Plan NONE = new Plan(new int[0], new int[0], new int[0], 0);

  private final int[] positions;
  private final int[] options;
  private final int[] freezingSteps;
  private final int faults;

  private Plan(int[] positions, int[] options, int[] freezingSteps, int faults) {
    this.positions = positions;
    this.options = options;
    this.freezingSteps = freezingSteps;
    this.faults = faults;
  }

  Plan with(Choices.Point point, int option) {
    int[] morePositions = Arrays.copyOf(positions, positions.length + 1);
    int[] moreOptions = Arrays.copyOf(options, options.length + 1);
    morePositions[positions.length] = point.position();
    moreOptions[options.length] = option;
    int[] moreFreezing = freezingSteps;
    if (!point.free() && point.freezes(option)) {
      moreFreezing = Arrays.copyOf(freezingSteps, freezingSteps.length + 1);
      moreFreezing[freezingSteps.length] = point.stepNumber();
    }
    return new Plan(morePositions, moreOptions, moreFreezing, faults + (point.free() ? 0 : 1));
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
  int faults() {
    return faults;
  }
}
