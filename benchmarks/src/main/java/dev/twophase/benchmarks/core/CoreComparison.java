package dev.twophase.benchmarks.core;

import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Spread;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.report.Target;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.RunSettings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/** What the adapters cost per record, against a direct call and against Flink's own function. */
public final class CoreComparison implements Comparison {

  private static final double MOST_NANOS = 30;

  /** What JMH measures of its own background work, spread over the records. */
  private static final double NO_BYTES = 0.01;

  @Override
  public String name() {
    return "core";
  }

  @Override
  public String summary() {
    return "ns and bytes per record of the adapters; against Flink's TwoPhaseCommitSinkFunction";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    System.setProperty("jmh.ignoreLock", "true");
    List<RecordCostRun> direct = new ArrayList<>();
    Map<Adapter, List<RecordCostRun>> adapted = new EnumMap<>(Adapter.class);
    // Without a round to warm up: JMH does that in each fork.
    for (int round = 1; round <= settings.rounds(); round++) {
      String which = "round " + round + " of " + settings.rounds();
      direct.add(fork(null, "direct call", which, settings, out));
      for (Adapter adapter : Adapter.values()) {
        adapted
            .computeIfAbsent(adapter, key -> new ArrayList<>())
            .add(fork(adapter, adapter.label(), which, settings, out));
      }
    }
    return report(direct, adapted, out);
  }

  private static RecordCostRun fork(
      @Nullable Adapter adapter, String label, String which, RunSettings settings, PrintStream out)
      throws RunnerException {
    RecordCostRun cost = RecordCostRun.fork(adapter, settings);
    out.printf("%-13s %-38s %.2f ns, %.4f B%n", which, label, cost.nanos(), cost.bytes());
    return cost;
  }

  private static Ratio report(
      List<RecordCostRun> direct, Map<Adapter, List<RecordCostRun>> adapted, PrintStream out) {
    Table table = Table.ofSpreads("per record");
    List<Target> targets = new ArrayList<>();
    table.row("direct call", "ns", Spread.of(nanos(direct)));
    adapted.forEach(
        (adapter, costs) -> {
          Spread over = Spread.of(over(costs, direct));
          Spread bytes = Spread.of(costs.stream().map(RecordCostRun::bytes).toList());
          table.row(adapter.label(), "ns", Spread.of(nanos(costs)));
          table.row("  over the direct call", "ns", over);
          table.row("  allocated", "B", bytes);
          if (adapter.isOurs()) {
            targets.add(
                Target.atMost(adapter.label() + ", ns per record", MOST_NANOS, over.median()));
            targets.add(
                Target.atMost(adapter.label() + ", B per record", NO_BYTES, bytes.median()));
          }
        });
    out.println();
    out.println(table.text());
    targets.forEach(target -> out.println(target.line()));
    return Ratio.of(
        "core",
        nanos(adapted.getOrDefault(Adapter.FLINK_FUNCTION, List.of())),
        nanos(adapted.getOrDefault(Adapter.FUNCTION, List.of())));
  }

  private static List<Double> nanos(List<RecordCostRun> costs) {
    return costs.stream().map(RecordCostRun::nanos).toList();
  }

  private static List<Double> over(List<RecordCostRun> costs, List<RecordCostRun> direct) {
    return IntStream.range(0, costs.size())
        .mapToObj(round -> costs.get(round).nanos() - direct.get(round).nanos())
        .toList();
  }
}
