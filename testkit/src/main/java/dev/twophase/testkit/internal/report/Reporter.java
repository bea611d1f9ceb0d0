package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.TraceRecorder;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Runs a schedule once more, followed closely, and writes down what it showed. */
public final class Reporter {

  private final Subject<?> subject;
  private final String name;

  /**
   * @param name of the subject, for people
   */
  public Reporter(Subject<?> subject, String name) {
    this.subject = subject;
    this.name = name;
  }

  /**
   * Writes the report of a failure.
   *
   * @param replay how to run the schedule again
   * @return the page
   */
  public Path write(Judgement found, String replay, ReportFolder folder) throws IOException {
    TraceRecorder first = follow(found.schedule());
    TraceRecorder second = follow(found.schedule());
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "determinism",
        first.trace().equals(second.trace())
            ? "two runs of this schedule had the same trace"
            : "two runs of this schedule had different traces; this is the first");
    facts.put("Flink", EnvironmentInformation.getVersion());
    facts.put("Java", Runtime.version().toString());
    facts.put("written", Instant.now().toString());
    return folder.write(new FailureReport(name, found, replay, first.trace(), facts));
  }

  private TraceRecorder follow(Schedule schedule) {
    TraceRecorder recorder = new TraceRecorder(schedule);
    new Replay(subject).replay(schedule, recorder::following, recorder);
    return recorder;
  }
}
