package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.schedule.Source;

/**
 * What a run does when nothing goes wrong: for each checkpoint input, barriers, completion and
 * notifications, and then an end.
 *
 * @param parallelism at the start
 * @param source how records reach the sink
 * @param checkpoints number of them, settling not counted
 * @param inputPerSubtask records for each subtask and checkpoint
 * @param endsInput whether the last of these checkpoints is the final one of a bounded job
 * @param idleLast whether the last subtask gets no input before the last checkpoint
 * @param rescales whether recoveries may change the parallelism
 * @param zombies whether attempts may be lost and live on
 */
record Script(
    int parallelism,
    Source source,
    int checkpoints,
    int inputPerSubtask,
    boolean endsInput,
    boolean idleLast,
    boolean rescales,
    boolean zombies) {

  private static final int INPUT_PER_SUBTASK = 2;

  /** The plain script, which may go wrong in every way. */
  Script(int parallelism, Source source, int checkpoints) {
    this(parallelism, source, checkpoints, INPUT_PER_SUBTASK, false, false, true, true);
  }

  Script bounded() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, true, idleLast, false, false);
  }

  Script idle() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, endsInput, true, false, false);
  }

  Script withoutRescale() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, endsInput, idleLast, false, zombies);
  }

  Script withoutZombies() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, endsInput, idleLast, rescales, false);
  }

  /** Tells the traces of runs apart that differ in where replayed records go. */
  long hashSeed() {
    return source.word().hashCode();
  }

  @Override
  public String toString() {
    return "p="
        + parallelism
        + " src="
        + source.word()
        + ", "
        + checkpoints
        + " checkpoints"
        + (endsInput ? ", bounded" : "")
        + (idleLast ? ", one subtask idle" : "")
        + (rescales ? ", rescaled" : "");
  }
}
