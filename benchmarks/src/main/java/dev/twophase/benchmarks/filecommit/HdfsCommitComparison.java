package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.file.FileSinkKind;
import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.report.Target;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.Entrant;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import dev.twophase.benchmarks.run.Turns;
import java.io.PrintStream;
import java.util.List;

/** From the barrier to visible files on HDFS, a real NameNode and DataNode on this machine. */
public final class HdfsCommitComparison implements Comparison {

  private static final int BUCKETS = 200;

  @Override
  public String name() {
    return "hdfs-commit";
  }

  @Override
  public String summary() {
    return "barrier to visible on HDFS, 200 files in 200 buckets; against Flink's FileSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    out.println("HDFS writes to " + Scratch.describe(settings.directory()));
    try (HdfsServer server = HdfsServer.start(settings.directory().resolve("hdfs"))) {
      Turns turns =
          Turns.take(
              List.of(
                  entrant(CommitFigures.OURS, FileSinkKind.TWOPHASE, server),
                  entrant(CommitFigures.FLINK, FileSinkKind.FLINK, server)),
              settings,
              out);
      Table table = CommitFigures.table("a checkpoint of 200 files on HDFS", turns);
      Ratio ratio = CommitFigures.ratio(name(), turns);
      out.println();
      out.println(table.row("FileSink / ours", "", ratio.spread()).text());
      out.println(Target.atLeast("times faster than FileSink", 4, ratio.spread().median()).line());
      return ratio;
    }
  }

  private static Entrant entrant(String label, FileSinkKind kind, HdfsServer server) {
    String directory = server.uri() + "/" + kind;
    return new Entrant(
        label, ManyBuckets.class, ManyBuckets.onHdfs(kind, BUCKETS, directory), CommitFigures.HEAP);
  }
}
