package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.internal.trace.Trace;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a report of one failure says.
 *
 * @param subject what was tested
 * @param judgement what was found
 * @param replay how to run the schedule again
 * @param trace of the run that found it
 * @param repeated what came of repeating it
 * @param facts what else is worth knowing, by name
 */
public record FailureReport(
    String subject,
    Judgement judgement,
    String replay,
    Trace trace,
    Repetition repeated,
    Map<String, String> facts) {

  public FailureReport {
    facts = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }
}
