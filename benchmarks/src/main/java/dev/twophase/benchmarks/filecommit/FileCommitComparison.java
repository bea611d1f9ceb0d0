package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.file.FileSinkKind;
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

  private static final String BARE = "bare system calls";

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
                entrant(CommitFigures.OURS, FileSinkKind.TWOPHASE),
                entrant(CommitFigures.FLINK, FileSinkKind.FLINK),
                new Entrant(BARE, BareCommit.class, "-", CommitFigures.HEAP)),
            settings,
            out);
    Table table = CommitFigures.table("a checkpoint of 1,000 files", turns);
    List<Double> bare = turns.figure(BARE, ManyBuckets.MILLIS);
    table.row(BARE + ", as many and as durable", "ms", Spread.of(bare));
    Ratio toBare =
        Ratio.of("file-commit-bare", bare, turns.figure(CommitFigures.OURS, ManyBuckets.MILLIS));
    Ratio ratio = CommitFigures.ratio(name(), turns);
    out.println();
    table.row("bare / ours", "", toBare.spread());
    out.println(table.row("FileSink / ours", "", ratio.spread()).text());
    out.println(Target.atLeast("times faster than FileSink", 4, ratio.spread().median()).line());
    return ratio;
  }

  private static Entrant entrant(String label, FileSinkKind kind) {
    return new Entrant(label, ManyBuckets.class, kind.name(), CommitFigures.HEAP);
  }
}
