package dev.twophase.benchmarks.file;

import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Spread;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.report.Target;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.Entrant;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import dev.twophase.benchmarks.run.Turns;
import java.io.PrintStream;
import java.util.List;

/** From the barrier to visible files, where a checkpoint has many small ones. */
public final class FileCommitComparison implements Comparison {

  private static final String OURS = "ours";
  private static final String FLINK = "FileSink";
  private static final String BARE = "bare system calls";

  /** Small, so that a peak says what is held and not how late the collector came. */
  private static final List<String> HEAP = List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC");

  @Override
  public String name() {
    return "file-commit";
  }

  @Override
  public String summary() {
    return "barrier to visible, 1,000 files in 1,000 buckets; against Flink's FileSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    out.println("Writing to " + Scratch.describe(settings.directory()));
    out.println(CreationProbe.in(settings.directory()).line());
    Turns turns =
        Turns.take(
            List.of(
                new Entrant(OURS, ManyBuckets.class, FileSinkKind.TWOPHASE.name(), HEAP),
                new Entrant(FLINK, ManyBuckets.class, FileSinkKind.FLINK.name(), HEAP),
                new Entrant(BARE, BareCommit.class, "-", HEAP)),
            settings,
            out);
    Table table = Table.ofSpreads("a checkpoint of 1,000 files");
    for (String side : List.of(OURS, FLINK)) {
      table.row(
          side + ", barrier to visible", "ms", Spread.of(turns.figure(side, ManyBuckets.MILLIS)));
      table.row(
          side + ", of that to prepared",
          "ms",
          Spread.of(turns.figure(side, ManyBuckets.MILLIS_PREPARE)));
      table.row(
          side + ", the first, with new buckets",
          "ms",
          Spread.of(turns.figure(side, ManyBuckets.MILLIS_NEW_BUCKETS)));
      table.row(side + ", peak heap", "MiB", Spread.of(turns.figure(side, ManyBuckets.PEAK_HEAP)));
    }
    List<Double> bare = turns.figure(BARE, ManyBuckets.MILLIS);
    table.row(BARE + ", as many and as durable", "ms", Spread.of(bare));
    Ratio toBare = Ratio.of("file-commit-bare", bare, turns.figure(OURS, ManyBuckets.MILLIS));
    Ratio ratio =
        Ratio.of(
            "file-commit",
            turns.figure(FLINK, ManyBuckets.MILLIS),
            turns.figure(OURS, ManyBuckets.MILLIS));
    out.println();
    table.row("bare / ours", "", toBare.spread());
    out.println(table.row("FileSink / ours", "", ratio.spread()).text());
    out.println(Target.atLeast("times faster than FileSink", 4, ratio.spread().median()).line());
    return ratio;
  }
}
