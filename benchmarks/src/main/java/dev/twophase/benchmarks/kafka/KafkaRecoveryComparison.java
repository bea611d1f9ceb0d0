package dev.twophase.benchmarks.kafka;

import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Spread;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.report.Target;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Turns;
import java.io.PrintStream;
import java.util.List;

/** From restoring many prepared transactions to all of them committed. */
public final class KafkaRecoveryComparison implements Comparison {

  private static final List<String> HEAP = List.of("-Xms256m", "-Xmx2g", "-XX:+UseSerialGC");
  private static final String OURS = "ours";
  private static final String FLINK = "KafkaSink";

  @Override
  public String name() {
    return "kafka-recovery";
  }

  @Override
  public String summary() {
    return "restore to committed, 100 and 1,000 transactions; against Flink's KafkaSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    try (KafkaSide side = KafkaSide.start(settings)) {
      side.warmUp(settings.scale());
      Ratio ratio = run(side, "100", settings, out);
      out.println(Target.atLeast("times faster than KafkaSink", 3, ratio.spread().median()).line());
      out.println();
      // For information: preparing that many takes long.
      RunSettings once =
          new RunSettings(1, settings.scale(), settings.directory(), settings.profiles());
      run(side, "1000", once, out);
      return ratio;
    }
  }

  private Ratio run(KafkaSide side, String transactions, RunSettings settings, PrintStream out)
      throws Exception {
    Turns turns =
        Turns.take(
            List.of(
                side.entrant(OURS, Recovery.class, KafkaSinkKind.OURS, transactions, HEAP),
                side.entrant(FLINK, Recovery.class, KafkaSinkKind.FLINK, transactions, HEAP)),
            (int) RunSettings.scaled(Recovery.WARM_UPS, settings.scale()),
            settings,
            out);
    Table table = Table.ofSpreads(transactions + " prepared transactions");
    for (String label : List.of(OURS, FLINK)) {
      table.row(label + ", restore to committed", "ms", of(turns, label, Recovery.MILLIS));
      table.row(label + ", heap when prepared", "MiB", of(turns, label, Recovery.HEAP));
      table.row(label + ", threads when prepared", "", of(turns, label, Recovery.THREADS));
    }
    Ratio ratio =
        Ratio.of(name(), turns.figure(FLINK, Recovery.MILLIS), turns.figure(OURS, Recovery.MILLIS));
    out.println();
    out.println(table.row("KafkaSink / ours", "", ratio.spread()).text());
    return ratio;
  }

  private static Spread of(Turns turns, String label, String figure) {
    return Spread.of(turns.figure(label, figure));
  }
}
