package dev.twophase.examples.demo;

import dev.twophase.examples.faults.FaultReport;
import dev.twophase.examples.faults.Sabotage;
import dev.twophase.examples.jdbc.CountTable;
import dev.twophase.examples.place.Jvm;
import dev.twophase.examples.place.KafkaPlace;
import dev.twophase.examples.place.TablePlace;
import dev.twophase.examples.run.RunEnd;
import dev.twophase.examples.run.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs side by side, then the recount, then the verdict. Used by one thread. */
final class Experiment {

  private static final long TICK_MILLIS = 250;
  private static final int LINES_OF_LOG = 15;

  private final Screen screen;
  private final List<RunSpec> specs;

  /**
   * @param specs runs under test and controls; at least one run is under test
   */
  Experiment(Screen screen, List<RunSpec> specs) {
    this.screen = screen;
    this.specs = specs;
  }

  /** Returns the exit code. */
  int run() throws IOException, InterruptedException {
    List<RunProcess> runs = new ArrayList<>();
    for (RunSpec spec : specs) {
      runs.add(RunProcess.start(spec, report -> tell(spec, report)));
    }
    for (RunProcess run : runs) {
      while (!run.ended(TICK_MILLIS)) {
        screen.progress(runs);
      }
      RunEnd end = run.end();
      if (end != RunEnd.FINISHED) {
        runs.forEach(RunProcess::kill);
        return broken(run, end);
      }
    }
    List<RecountResult> tested = new ArrayList<>();
    List<RecountResult> controls = new ArrayList<>();
    for (RunProcess run : runs) {
      RecountResult recount = recount(run.spec());
      show(title(run), run, recount);
      (run.spec().tested() ? tested : controls).add(recount);
      if (run.spec().table().isPresent()) {
        RecountResult table = recountTable(run.spec(), run.spec().table().get());
        show("PostgreSQL exactly-once: the same counts by upsert, from the same job", run, table);
        tested.add(table);
      }
    }
    return judge(tested, controls);
  }

  private void show(String title, RunProcess run, RecountResult recount) {
    ResultTable.lines(title, run.reports(), recount, run.spec().topics().isPresent())
        .forEach(screen::line);
  }

  private static RecountResult recountTable(RunSpec spec, CountTable table)
      throws IOException, InterruptedException {
    TablePlace.copy(table, spec.tableData(), spec.errors());
    return RecountResult.ofCounts(
        spec.input(), spec.tableData(), spec.stretches().count(), spec.errors());
  }

  private static RecountResult recount(RunSpec spec) throws IOException, InterruptedException {
    int stretches = spec.stretches().count();
    if (spec.topics().isEmpty()) {
      return RecountResult.of(spec.input(), spec.data(), stretches, spec.errors());
    }
    KafkaPlace.copyOutput(spec.topics().get(), spec.data(), spec.errors());
    return RecountResult.ofCounts(spec.input(), spec.data(), stretches, spec.errors());
  }

  private static String title(RunProcess run) {
    RunSpec spec = run.spec();
    String sink =
        "sink API "
            + spec.sinkApi()
            + ", sink parallelism "
            + spec.parallelism()
            + ", then "
            + (spec.parallelism() + 1);
    if (spec.sabotage() != Sabotage.NONE) {
      return run.name() + ", sabotaged by " + spec.sabotage() + " (" + sink + ")";
    }
    return spec.tested()
        ? run.name() + " (" + sink + ")"
        : run.name() + " control: the same job, sink and faults";
  }

  private int judge(List<RecountResult> tested, List<RecountResult> controls) {
    long lost = 0;
    long duplicated = 0;
    boolean exact = true;
    screen.line("");
    for (RecountResult found : tested) {
      ResultTable.verdicts(found).forEach(screen::line);
      lost += found.lost();
      duplicated += found.duplicated();
      exact &= found.exact();
    }
    boolean idle = controls.stream().anyMatch(control -> control.duplicated() == 0);
    int exitCode = exact ? ExitCode.PROVEN : ExitCode.REFUTED;
    if (idle && exact) {
      screen.line("The control duplicated nothing: the faults prove nothing about the sink");
      exitCode = ExitCode.PROVES_NOTHING;
    }
    screen.line(
        String.format(Locale.ROOT, "exactly-once: lost %,d, duplicated %,d", lost, duplicated));
    return exitCode;
  }

  private void tell(RunSpec spec, FaultReport report) {
    if (spec.tested()) {
      screen.line(
          String.format(
              Locale.ROOT,
              "      %s%s (%s, checkpoint %d): %s",
              spec.topics().isPresent() ? "Kafka: " : "",
              report.kind().text(),
              report.where(),
              report.checkpoint(),
              report.kind().crashes()
                  ? "recovered in " + report.recoveredMillis() + " ms"
                  : "went on without a restart"));
    }
  }

  private int broken(RunProcess run, RunEnd end) throws IOException {
    if (Jvm.isEnding()) {
      screen.line("interrupted");
      return ExitCode.BROKEN;
    }
    screen.line(run.name() + ": " + run.failure().orElse("ended with " + end));
    if (end == RunEnd.NOT_STRUCK) {
      return ExitCode.PROVES_NOTHING;
    }
    for (Path log : List.of(run.spec().log(), run.spec().errors())) {
      if (Files.exists(log)) {
        List<String> lines = Files.readAllLines(log);
        lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()).forEach(screen::line);
      }
    }
    return ExitCode.BROKEN;
  }
}
