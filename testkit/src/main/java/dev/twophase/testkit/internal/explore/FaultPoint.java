package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.internal.explore.choice.Choices;
import dev.twophase.testkit.schedule.Verb;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A point in a script at which the first fault may happen; or schedules chosen at random.
 *
 * @param name where and what, for people
 * @param point null if there is no first fault, or no one place for it
 * @param alike how many points of the same class come before it in the script
 * @param random number of schedules chosen at random
 * @param seed of the first of these
 */
public record FaultPoint(
    String name, Choices.@Nullable Point point, int alike, int random, long seed) {

  /** What happens to the job sets the scene for what happens to a call, seldom the reverse. */
  static final Comparator<FaultPoint> SCENES_FIRST = Comparator.comparingInt(FaultPoint::order);

  /**
   * The first point of each class before the second of any; most of what is wrong is in commits.
   */
  static final Comparator<FaultPoint> BREADTH_FIRST =
      Comparator.comparingInt(FaultPoint::alike).thenComparingInt(FaultPoint::importance);

  /** The run in which nothing goes wrong. */
  static final FaultPoint NONE = new FaultPoint("no fault", null, 0, 0, 0);

  static FaultPoint at(Choices.Point point, int alike) {
    return new FaultPoint(point.describe(), point, alike, 0, 0);
  }

  /** What is to be looked at first: checkpoints and notifications, then ends, then calls. */
  int order() {
    if (point == null) {
      return 0;
    }
    return point.cell().where() != null ? 3 : point.cell().endsAttempts() ? 2 : 1;
  }

  private int importance() {
    if (point == null) {
      return 0;
    }
    Verb where = point.cell().where();
    return where == null || where == Verb.NTF ? 1 : where == Verb.BAR ? 2 : 3;
  }

  static FaultPoint random(int schedules, long seed) {
    return new FaultPoint(
        schedules + " schedules at random, from seed " + seed, null, 0, schedules, seed);
  }
}
