package dev.twophase.testkit;

import dev.twophase.testkit.internal.fork.ForkedReplay;
import dev.twophase.testkit.schedule.Schedule;

/**
 * Runs schedules on a real Flink cluster: its job manager, its checkpoints, its failovers, another
 * parallelism as a new job from a retained checkpoint. The cluster lives in a process of its own,
 * which is started for the first schedule and used again for the others, and which ends with this
 * one. The same text gets the same verdict as from {@link SinkKit}, only some hundred times slower;
 * a step that cannot be run there makes a schedule INCONCLUSIVE, with the reason.
 *
 * <p>The sink under test, its reader included, runs in the other process: its class has a
 * constructor without parameters, and nothing that is set up in this process reaches it. Not
 * thread-safe.
 */
public final class ClusterKit implements AutoCloseable {

  private final ForkedReplay replay;

  private ClusterKit(Class<? extends SinkUnderTest<?>> sink) {
    this.replay = new ForkedReplay(sink);
  }

  /**
   * A kit for this sink.
   *
   * @throws IllegalArgumentException if the class has no constructor without parameters
   */
  public static ClusterKit of(Class<? extends SinkUnderTest<?>> sink) {
    return new ClusterKit(sink);
  }

  /**
   * Runs one schedule in a fresh namespace. A process that dies or hangs makes it INCONCLUSIVE, and
   * is replaced.
   *
   * @param line its one-line form, see {@link Schedule}
   * @throws dev.twophase.testkit.schedule.ScheduleSyntaxException if it is not one
   */
  public Judgement replay(String line) {
    return replay.replay(Schedule.parse(line));
  }

  /** Ends the process. */
  @Override
  public void close() {
    replay.close();
  }
}
