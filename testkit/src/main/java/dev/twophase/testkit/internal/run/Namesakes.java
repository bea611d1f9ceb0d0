package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.schedule.Schedule;
import java.util.List;

/**
 * Schedules in which subtask 1 recovers, with work of its own to abort, while subtask 11 waits for
 * its commit: a sink that knows what belongs to a subtask by how its name begins takes the one's
 * work for the other's (R2). Explorations have too few subtasks for that.
 */
public final class Namesakes {

  private static final List<Schedule> SCHEDULES =
      List.of(
          Schedule.parse(
              "2pk/1 p=12; s*.in 1; s*.bar 1; done 1; s1.in 1; s*.kill; up 1; s*.in 1; settle"),
          Schedule.parse(
              "2pk/1 p=12 src=fwd; s*.in 1; s*.bar 1; done 1; s1.in 1; s1.kill; s1.up 1;"
                  + " s1.in 1; s*.bar 2; done 2; s1.ntf 2; settle"));

  private Namesakes() {}

  public static List<Schedule> schedules() {
    return SCHEDULES;
  }
}
