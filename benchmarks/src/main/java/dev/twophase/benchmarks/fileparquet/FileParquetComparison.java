package dev.twophase.benchmarks.fileparquet;

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

/** What the sink costs on top of Parquet's own writer. */
public final class FileParquetComparison implements Comparison {

  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  @Override
  public String name() {
    return "file-parquet";
  }

  @Override
  public String summary() {
    return "records/s into Parquet files; against Parquet's bare writer, and Flink's FileSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    out.println("Writing to " + Scratch.describe(settings.directory()));
    Turns turns =
        Turns.take(
            List.of(
                new Entrant("ours", ParquetRun.class, ParquetKind.OURS.name(), HEAP),
                new Entrant("FileSink", ParquetRun.class, ParquetKind.FILE_SINK.name(), HEAP),
                new Entrant("bare writer", ParquetRun.class, ParquetKind.BARE.name(), HEAP)),
            settings,
            out);
    List<Double> ours = turns.figure("ours", ParquetRun.RATE);
    List<Double> flink = turns.figure("FileSink", ParquetRun.RATE);
    List<Double> bare = turns.figure("bare writer", ParquetRun.RATE);
    Ratio ratio = Ratio.of(name(), ours, bare);
    Ratio toFlink = Ratio.of("file-parquet-filesink", ours, flink);
    out.println();
    out.println(
        Table.ofSpreads("100-byte lines as Parquet")
            .row("ours", "records/s", Spread.of(ours))
            .row("FileSink", "records/s", Spread.of(flink))
            .row("bare writer", "records/s", Spread.of(bare))
            .row("ours / bare writer", "", ratio.spread())
            .row("ours / FileSink", "", toFlink.spread())
            .text());
    out.println(Target.atLeast("ours / bare writer", 0.95, ratio.spread().median()).line());
    return ratio;
  }
}
