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
 * @param stops whether the job stops with a savepoint in the place of the last of these
 *     checkpoints, and goes on from there
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
    boolean stops,
    boolean rescales,
    boolean zombies) {

  private static final int INPUT_PER_SUBTASK = 2;

  /** The plain script, which may go wrong in every way. */
  Script(int parallelism, Source source, int checkpoints) {
    this(parallelism, source, checkpoints, INPUT_PER_SUBTASK, false, false, false, true, true);
  }

  Script bounded() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, true, idleLast, stops, false, false);
  }

  Script idle() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, endsInput, true, stops, false, false);
  }

  Script stopped() {
    return new Script(
        parallelism, source, checkpoints, inputPerSubtask, endsInput, idleLast, true, true, false);
  }

  Script withoutRescale() {
    return new Script(
        parallelism,
        source,
        checkpoints,
        inputPerSubtask,
        endsInput,
        idleLast,
        stops,
        false,
        zombies);
  }

  Script withoutZombies() {
    return new Script(
        parallelism,
        source,
        checkpoints,
        inputPerSubtask,
        endsInput,
        idleLast,
        stops,
        rescales,
        false);
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
        + (stops ? ", stopped with a savepoint" : "")
        + (rescales ? ", rescaled" : "");
  }
}
