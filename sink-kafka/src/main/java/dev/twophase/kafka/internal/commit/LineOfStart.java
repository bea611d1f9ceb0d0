package dev.twophase.kafka.internal.commit;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.commit.RewindMarks.Mark;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which line a writer that starts is in, and whether it was taken back (R6): by the line of its
 * state, and what the marks tell. All subtasks must come to one number without asking each other.
 *
 * @param proof a committed transaction that shows that the job was taken back; its absence is only
 *     told where it can be
 */
public record LineOfStart(Line line, Optional<TransactionId> proof) {

  /**
   * Looks at the marks.
   *
   * @param checkpointId the restored one; 0 if there is none
   * @param accepts whether a start that goes back is to begin a line of its own
   * @throws org.apache.kafka.common.errors.TimeoutException if that cannot be told at present
   */
  public static LineOfStart look(
      Coordinators coordinators, ConnectorContext context, long checkpointId, boolean accepts)
      throws InterruptedException {
    OptionalLong restored = context.restoredLine();
    // Where subtasks have no common number in their states, they find it in the same marks.
    boolean all = accepts || (restored.isEmpty() && checkpointId > 0);
    LineOfStart[] found = new LineOfStart[1];
    RewindMarks.committed(
        coordinators,
        context,
        all,
        marks -> {
          found[0] = of(marks, restored, checkpointId, accepts);
          return found[0].proof();
        });
    return found[0];
  }

  static LineOfStart of(
      List<Mark> marks, OptionalLong restored, long checkpointId, boolean accepts) {
    Line newest =
        marks.stream()
            .map(Mark::line)
            .max(Comparator.comparingLong(Line::number))
            .orElse(Line.FIRST);
    Optional<TransactionId> proof =
        marks.stream()
            .filter(mark -> mark.replaces(restored, checkpointId, checkpointId))
            .map(Mark::id)
            .findFirst();
    Line line;
    if (proof.isPresent() && accepts) {
      line = Line.branchedOff(restored, checkpointId, newest);
    } else if (restored.isEmpty() || restored.getAsLong() == newest.number()) {
      line = newest;
    } else {
      line = Line.withoutMarks(restored.getAsLong(), checkpointId);
    }
    return new LineOfStart(line, proof);
  }
}
