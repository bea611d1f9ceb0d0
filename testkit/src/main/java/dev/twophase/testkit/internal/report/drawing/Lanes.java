package dev.twophase.testkit.internal.report.drawing;

import dev.twophase.testkit.internal.trace.Event;
import dev.twophase.testkit.internal.trace.Event.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which attempt is drawn where. Each attempt has a lane of its own while there are few; where there
 * are many, attempts of one subtask share a lane if one began after the other had ended.
 */
final class Lanes {

  private static final int MOST_OF_THEIR_OWN = 4;

  private final List<Life> lives = new ArrayList<>();
  private int count;

  /** One attempt, from its first row to its last; that may be the last of all. */
  static final class Life {
    final int subtask;
    final int attempt;
    final int firstRow;
    int lastRow = Integer.MAX_VALUE;
    int lostInRow = Integer.MAX_VALUE;
    int lane;

    Life(int subtask, int attempt, int firstRow) {
      this.subtask = subtask;
      this.attempt = attempt;
      this.firstRow = firstRow;
    }
  }

  Lanes(List<Row> rows) {
    Map<Integer, Map<Integer, Life>> known = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      for (Event event : rows.get(i).events()) {
        if (event.subtask() != Event.JOB) {
          int row = i;
          Life life =
              known
                  .computeIfAbsent(event.subtask(), key -> new HashMap<>())
                  .computeIfAbsent(
                      event.attempt(), key -> add(new Life(event.subtask(), key, row)));
          note(life, event, i);
        }
      }
    }
    assign();
  }

  private Life add(Life life) {
    lives.add(life);
    return life;
  }

  private static void note(Life life, Event event, int row) {
    if (event.kind() == Kind.CLOSED || event.kind() == Kind.DIED) {
      life.lastRow = row;
    } else if (event.kind() == Kind.LOST) {
      life.lostInRow = row;
    }
  }

  private void assign() {
    lives.sort(Comparator.<Life>comparingInt(life -> life.subtask).thenComparing(l -> l.attempt));
    boolean share = lives.size() > MOST_OF_THEIR_OWN;
    List<Life> lastInLane = new ArrayList<>();
    for (Life life : lives) {
      int lane = share ? free(lastInLane, life) : lastInLane.size();
      if (lane == lastInLane.size()) {
        lastInLane.add(life);
      } else {
        lastInLane.set(lane, life);
      }
      life.lane = lane;
    }
    count = lastInLane.size();
  }

  private static int free(List<Life> lastInLane, Life life) {
    for (int lane = 0; lane < lastInLane.size(); lane++) {
      Life last = lastInLane.get(lane);
      if (last.subtask == life.subtask && last.lastRow < life.firstRow) {
        return lane;
      }
    }
    return lastInLane.size();
  }

  int count() {
    return count;
  }

  List<Life> lives() {
    return lives;
  }

  int laneOf(Event event) {
    for (Life life : lives) {
      if (life.subtask == event.subtask() && life.attempt == event.attempt()) {
        return life.lane;
      }
    }
    throw new IllegalStateException("no lane for " + event);
  }
}
