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
import java.util.stream.Collectors;

/**
 * Records per second of a whole job that writes to Kafka. A round is two turns of each contender,
 * in opposite orders.
 */
public final class KafkaComparison implements Comparison {

  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");
  private static final List<Integer> SIZES = List.of(100, 1024);
  private static final String OURS = "ours";
  private static final String AT_LEAST_ONCE = "ours a.l.o.";
  private static final String FLINK = "KafkaSink";

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public String summary() {
    return "records/s of a whole job to Kafka, 100 B and 1 KiB; against Flink's KafkaSink";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    try (KafkaSide side = KafkaSide.start(settings)) {
      String sizes = SIZES.stream().map(String::valueOf).collect(Collectors.joining(","));
      RunSettings twice =
          new RunSettings(
              2 * settings.rounds(), settings.scale(), settings.directory(), settings.profiles());
      Turns turns =
          Turns.take(
              List.of(
                  side.entrant(OURS, KafkaJob.class, KafkaSinkKind.OURS, sizes, HEAP),
                  side.entrant(
                      AT_LEAST_ONCE, KafkaJob.class, KafkaSinkKind.OURS_AT_LEAST_ONCE, sizes, HEAP),
                  side.entrant(FLINK, KafkaJob.class, KafkaSinkKind.FLINK, sizes, HEAP)),
              twice,
              out);
      out.println();
      for (int bytes : SIZES.subList(1, SIZES.size())) {
        report(turns, bytes, out);
      }
      return report(turns, SIZES.get(0), out);
    }
  }

  private Ratio report(Turns turns, int bytes, PrintStream out) {
    String rate = KafkaJob.rate(bytes);
    Ratio ratio = Ratio.of(name(), turns.meanOfTwo(OURS, rate), turns.meanOfTwo(FLINK, rate));
    Ratio cost =
        Ratio.of("kafka-cost", turns.meanOfTwo(OURS, rate), turns.meanOfTwo(AT_LEAST_ONCE, rate));
    Table table = Table.ofSpreads("a job, " + bytes + "-byte records");
    for (String label : List.of(OURS, AT_LEAST_ONCE, FLINK)) {
      table.row(label, "records/s", Spread.of(turns.meanOfTwo(label, rate)));
      table.row(
          label + ", client",
          "us CPU/record",
          Spread.of(turns.meanOfTwo(label, KafkaJob.cpu(bytes))));
      table.row(
          label + ", broker",
          "us CPU/record",
          Spread.of(turns.meanOfTwo(label, KafkaJob.brokerCpu(bytes))));
    }
    out.println(
        table
            .row("ours / KafkaSink", "", ratio.spread())
            .row("exactly-once / at-least-once", "", cost.spread())
            .text());
    String what = bytes + " B: ours / KafkaSink";
    out.println(Target.atLeast(what, 1, ratio.spread().median()).line());
    out.println(Target.atLeast(what + ", the worst round", 0.95, ratio.spread().min()).line());
    out.println(
        Target.atLeast(bytes + " B: exactly-once / at-least-once", 0.95, cost.spread().median())
            .line());
    out.println();
    return ratio;
  }
}
