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

/** Records per second of the file sinks, alone and in a job. */
public final class FileComparison implements Comparison {

  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  @Override
  public String name() {
    return "file";
  }

  @Override
  public String summary() {
    return "records/s of 100-byte lines, sink alone and whole job; against Flink's FileSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    out.println("Writing to " + Scratch.describe(settings.directory()));
    Turns alone =
        Turns.take(
            List.of(
                new Entrant("ours alone", SinkAlone.class, FileSinkKind.TWOPHASE.name(), HEAP),
                new Entrant("FileSink alone", SinkAlone.class, FileSinkKind.FLINK.name(), HEAP),
                new Entrant("plain file", PlainFile.class, "-", HEAP)),
            settings,
            out);
    Turns job =
        Turns.take(
            List.of(
                new Entrant("ours in a job", WholeJob.class, FileSinkKind.TWOPHASE.name(), HEAP),
                new Entrant("FileSink in a job", WholeJob.class, FileSinkKind.FLINK.name(), HEAP)),
            settings,
            out);
    List<Double> ours = alone.figure("ours alone", SinkAlone.RATE);
    List<Double> flink = alone.figure("FileSink alone", SinkAlone.RATE);
    List<Double> plain = alone.figure("plain file", SinkAlone.RATE);
    List<Double> ourJob = job.figure("ours in a job", WholeJob.RATE);
    List<Double> flinkJob = job.figure("FileSink in a job", WholeJob.RATE);
    Ratio ratio = Ratio.of("file", ours, flink);
    Ratio toPlain = Ratio.of("file-plain", ours, plain);
    Ratio ofJobs = Ratio.of("file-job", ourJob, flinkJob);
    out.println();
    out.println(
        Table.ofSpreads("100-byte lines")
            .row("ours alone", "records/s", Spread.of(ours))
            .row("FileSink alone", "records/s", Spread.of(flink))
            .row("plain 64 KiB-buffered file", "records/s", Spread.of(plain))
            .row("ours in a job", "records/s", Spread.of(ourJob))
            .row("FileSink in a job", "records/s", Spread.of(flinkJob))
            .row("sink alone: ours / FileSink", "", ratio.spread())
            .row("sink alone: ours / plain", "", toPlain.spread())
            .row("job: ours / FileSink", "", ofJobs.spread())
            .text());
    out.println(Target.atLeast("sink alone / FileSink", 4, ratio.spread().median()).line());
    out.println(Target.atLeast("sink alone / plain", 0.7, toPlain.spread().median()).line());
    out.println(
        Target.atLeast("job / FileSink, the worst round", 1.5, ofJobs.spread().min()).line());
    return ratio;
  }
}
