package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Repetition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Runs a schedule again, followed closely, and writes down what it showed. */
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
    return write(found, replay, folder, Repetition.of(subject, found.schedule()));
  }

  /**
   * The same, for a schedule that has been repeated already.
   *
   * @param repeated what came of that
   */
  public Path write(Judgement found, String replay, ReportFolder folder, Repetition repeated)
      throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("determinism", repeated.describe());
    facts.put("Flink", EnvironmentInformation.getVersion());
    facts.put("Java", Runtime.version().toString());
    facts.put("written", Instant.now().toString());
    return folder.write(
        new FailureReport(name, found, replay, repeated.first().trace(), repeated, facts));
  }
}
