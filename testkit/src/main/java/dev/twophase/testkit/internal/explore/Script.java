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
    boolean zombies,
    Extras extras) {

  /**
   * What may happen besides, in one script only.
   *
   * @param saves whether savepoints are taken on the way
   * @param rewinds whether the job may be taken back to an older checkpoint, a savepoint, or the
   *     beginning
   * @param outages whether the external system may be down for a step
   * @param expires whether it may forget what is not committed
   */
  record Extras(boolean saves, boolean rewinds, boolean outages, boolean expires) {
    static final Extras NONE = new Extras(false, false, false, false);
  }

  private static final int INPUT_PER_SUBTASK = 2;

  /** The plain script, which may go wrong in every way. */
  Script(int parallelism, Source source, int checkpoints) {
    this(
        parallelism,
        source,
        checkpoints,
        INPUT_PER_SUBTASK,
        false,
        false,
        false,
        true,
        true,
        Extras.NONE);
  }

  Script bounded() {
    return new Script(
        parallelism,
        source,
        checkpoints,
        inputPerSubtask,
        true,
        idleLast,
        stops,
        false,
        false,
        Extras.NONE);
  }

  Script idle() {
    return new Script(
        parallelism,
        source,
        checkpoints,
        inputPerSubtask,
        endsInput,
        true,
        stops,
        false,
        false,
        Extras.NONE);
  }

  Script stopped() {
    return new Script(
        parallelism,
        source,
        checkpoints,
        inputPerSubtask,
        endsInput,
        idleLast,
        true,
        true,
        false,
        Extras.NONE);
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
        zombies,
        extras);
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
        false,
        extras);
  }

  Script with(Extras others) {
    return new Script(
        parallelism,
        source,
        checkpoints,
        inputPerSubtask,
        endsInput,
        idleLast,
        stops,
        rescales,
        zombies,
        others);
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
