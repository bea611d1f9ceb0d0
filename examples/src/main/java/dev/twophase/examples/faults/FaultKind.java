package dev.twophase.examples.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The faults of the demo, in the order in which they are planned: the first two alone already tell
 * a correct sink from one that commits early and from an at-least-once one.
 */
public enum FaultKind {
  COMMIT_UNACKNOWLEDGED("commit applied, crash before the reply"),
  PREPARED_UNCHECKPOINTED("prepared, crash in the snapshot"),
  COMMIT_NOT_DONE("crash between pre-commit and commit"),
  RECOVERY("crash before commit and in recovery"),
  WRITE("write fails"),
  TASK_MANAGER("TaskManager shut down"),
  OPERATOR("operator before the sink crashes"),
  REPLY_LOST("reply to commit lost, asked again"),
  /** not a fault, but planned and reported like one */
  RESCALE("rescaled through a savepoint");

  private final String text;

  FaultKind(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }

  /**
   * Where it strikes, once each and in this order; empty if it is not done from inside the job.
   *
   * @param commitsWait whether commits wait for the checkpoint; where they do not, there is none to
   *     repeat during recovery, and the job is struck while it opens
   */
  List<Point> steps(boolean commitsWait) {
    return switch (this) {
      case COMMIT_UNACKNOWLEDGED, REPLY_LOST -> List.of(Point.COMMITTED);
      case PREPARED_UNCHECKPOINTED -> List.of(Point.PREPARED);
      case COMMIT_NOT_DONE -> List.of(Point.COMMIT);
      case RECOVERY -> List.of(Point.COMMIT, commitsWait ? Point.COMMITTED : Point.OPEN);
      case WRITE -> List.of(Point.WRITE);
      case OPERATOR -> List.of(Point.OPERATOR);
      case TASK_MANAGER, RESCALE -> List.of();
    };
  }

  /** Whether it ends the attempt. */
  public boolean crashes() {
    return this != REPLY_LOST;
  }

  /** The first so many faults; after the last it begins again. */
  public static List<FaultKind> first(int count) {
    List<FaultKind> faults = Arrays.stream(values()).filter(kind -> kind != RESCALE).toList();
    List<FaultKind> planned = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      planned.add(faults.get(i % faults.size()));
    }
    return planned;
  }
}
