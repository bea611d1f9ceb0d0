package dev.twophase.testkit;

import dev.twophase.testkit.internal.fork.ForkedReplay;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.nio.file.Path;

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
   * Runs one schedule in a fresh namespace, five times if it accuses the sink: unless each run gets
   * the same verdict it is INCONCLUSIVE. A process that dies or hangs makes it INCONCLUSIVE, too,
   * and is replaced.
   *
   * @param line its one-line form, see {@link Schedule}
   * @throws dev.twophase.testkit.schedule.ScheduleSyntaxException if it is not one
   */
  public Judgement replay(String line) {
    return replay.replay(Schedule.parse(line));
  }

  /**
   * Runs one schedule, and fails unless it passes: with the verdict, the rule, the records, the
   * schedule, and the path of a report.
   *
   * @throws AssertionError if it does not pass
   */
  public void assertPasses(String line) {
    Judgement judgement = replay(line);
    if (judgement.verdict().passes()) {
      return;
    }
    String report;
    try {
      report = report(judgement).toString();
    } catch (IOException e) {
      report = "could not be written: " + e.getMessage();
    }
    String again = "assertPasses(\"" + judgement.schedule() + "\")";
    String runs =
        judgement.verdict().accuses()
            ? "\n  runs:     D2 (real cluster): the same verdict in 5 of 5 runs"
            : "";
    throw new AssertionError(judgement.describe(again) + runs + "\n  report:   " + report);
  }

  /**
   * Runs a schedule again, and draws what it shows on the cluster: a page, with the same as JSON
   * beside it, in the directory of all reports.
   *
   * @return the page
   * @throws IOException if it cannot be written
   */
  public Path report(Judgement judgement) throws IOException {
    return replay.report(judgement.schedule());
  }

  /** Ends the process. */
  @Override
  public void close() {
    replay.close();
  }
}
