package dev.twophase.testkit.internal.explore;

import java.util.Arrays;

/** At which choices a run deviates, and how. */
final class Plan {

  static final Plan NONE = new Plan(new int[0], new int[0], 0);

  private final int[] positions;
  private final int[] options;
  private final int faults;

  private Plan(int[] positions, int[] options, int faults) {
    this.positions = positions;
    this.options = options;
    this.faults = faults;
  }

  Plan with(Choices.Point point, int option) {
    int[] morePositions = Arrays.copyOf(positions, positions.length + 1);
    int[] moreOptions = Arrays.copyOf(options, options.length + 1);
    morePositions[positions.length] = point.position();
    moreOptions[options.length] = option;
    return new Plan(morePositions, moreOptions, faults + (point.free() ? 0 : 1));
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
