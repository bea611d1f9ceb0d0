package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Spread;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.run.Turns;
import java.util.List;

/** What comparisons of commits report. */
final class CommitFigures {

  static final String OURS = "ours";
  static final String FLINK = "FileSink";

  /** Small, so that a peak says what is held and not how late the collector came. */
  static final List<String> HEAP = List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC");

  private CommitFigures() {}

  static Table table(String title, Turns turns) {
    Table table = Table.ofSpreads(title);
    for (String side : List.of(OURS, FLINK)) {
      row(table, turns, side, "barrier to visible", "ms", ManyBuckets.MILLIS);
      row(table, turns, side, "of that to prepared", "ms", ManyBuckets.MILLIS_PREPARE);
      row(table, turns, side, "the first, with new buckets", "ms", ManyBuckets.MILLIS_NEW_BUCKETS);
      row(table, turns, side, "peak heap", "MiB", ManyBuckets.PEAK_HEAP);
    }
    return table;
  }

  static Ratio ratio(String name, Turns turns) {
    return Ratio.of(
        name, turns.figure(FLINK, ManyBuckets.MILLIS), turns.figure(OURS, ManyBuckets.MILLIS));
  }

  private static void row(
      Table table, Turns turns, String side, String what, String unit, String figure) {
    table.row(side + ", " + what, unit, Spread.of(turns.figure(side, figure)));
  }
}
