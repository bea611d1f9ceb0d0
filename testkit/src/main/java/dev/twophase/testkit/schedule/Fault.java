package dev.twophase.testkit.schedule;

/**
 * A fault in one call within a step. The attempt is the one that the step addresses.
 *
 * @param subtask whose call; {@link Step#SAME} if the step names one subtask
 * @param callClass what is called: {@code commit}, or {@code Client.send} for a method of an
 *     interface
 * @param occurrence which of these calls within the step, from 1
 * @param kind what happens to it
 */
public record Fault(int subtask, String callClass, int occurrence, FaultKind kind) {

  public Fault {
    if (occurrence < 1) {
      throw new ScheduleSyntaxException(
          "Occurrences count from 1: " + callClass + "#" + occurrence);
    }
  }

  @Override
  public String toString() {
    String prefix = subtask == Step.SAME ? "" : "s" + subtask + ":";
    return prefix + callClass + "#" + occurrence + "=" + kind.letter();
  }
}
