package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.internal.explore.choice.Coverage;
import dev.twophase.testkit.internal.trace.Repetition;
import java.util.List;

/**
 * What a whole exploration showed.
 *
 * @param subject what was tested
 * @param exploration what it adds up to
 * @param repeated what came of repeating the schedule without faults
 * @param coverage of each class of points
 * @param fresh what came of repeating schedules with a fresh class loader per attempt
 * @param reports file names of the reports of single failures, beside the summary
 */
record Summary(
    String subject,
    Exploration exploration,
    Repetition repeated,
    List<Coverage> coverage,
    String fresh,
    List<String> reports) {

  Summary {
    coverage = List.copyOf(coverage);
    reports = List.copyOf(reports);
  }
}
