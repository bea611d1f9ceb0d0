package dev.twophase.benchmarks.filebuckets;

import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Spread;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.Entrant;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import dev.twophase.benchmarks.run.Turns;
import java.io.PrintStream;
import java.util.List;

/** From the barrier to visible files, of the same files in more and more buckets. */
public final class FileBucketsComparison implements Comparison {

  private static final String OURS = "ours";
  private static final String FLINK = "FileSink";

  @Override
  public String name() {
    return "file-buckets";
  }

  @Override
  public String summary() {
    return "barrier to visible, 1,000 files in 1 to 1,000 buckets; against Flink's FileSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    out.println("Writing to " + Scratch.describe(settings.directory()));
    Turns turns =
        Turns.take(
            List.of(entrant(OURS, RolledFiles.TWOPHASE), entrant(FLINK, RolledFiles.FLINK)),
            settings,
            out);
    Table table = Table.ofSpreads("barrier to visible, 1,000 files of 10 lines");
    for (String side : List.of(OURS, FLINK)) {
      for (int buckets : BucketCounts.COUNTS) {
        table.row(
            side + " in " + buckets + " buckets", "ms", Spread.of(millis(turns, side, buckets)));
      }
      table.row(
          side + ", 1,000 buckets / 1 bucket",
          "",
          Ratio.of("growth", millis(turns, side, 1000), millis(turns, side, 1)).spread());
    }
    Ratio ratio = Ratio.of(name(), millis(turns, FLINK, 1000), millis(turns, OURS, 1000));
    out.println();
    out.println(table.row("FileSink / ours, 1,000 buckets", "", ratio.spread()).text());
    return ratio;
  }

  private static List<Double> millis(Turns turns, String side, int buckets) {
    return turns.figure(side, BucketCounts.figure(buckets));
  }

  private static Entrant entrant(String label, RolledFiles kind) {
    return new Entrant(label, BucketCounts.class, kind.name(), List.of());
  }
}
