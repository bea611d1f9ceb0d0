package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.internal.explore.choice.Choices;
import org.jspecify.annotations.Nullable;

/**
 * A point in a script at which the first fault may happen; or schedules chosen at random.
 *
 * @param name where and what, for people
 * @param point null if there is no first fault, or no one place for it
 * @param random number of schedules chosen at random
 * @param seed of the first of these
 */
public record FaultPoint(String name, Choices.@Nullable Point point, int random, long seed) {

  /** The run in which nothing goes wrong. */
  static final FaultPoint NONE = new FaultPoint("no fault", null, 0, 0);

  static FaultPoint at(Choices.Point point) {
    return new FaultPoint(point.describe(), point, 0, 0);
  }

  /** What is to be looked at first: checkpoints and notifications, then ends, then calls. */
  int order() {
    if (point == null) {
      return 0;
    }
    return point.cell().where() != null ? 3 : point.cell().endsAttempts() ? 2 : 1;
  }

  static FaultPoint random(int schedules, long seed) {
    return new FaultPoint(
        schedules + " schedules at random, from seed " + seed, null, schedules, seed);
  }
}
