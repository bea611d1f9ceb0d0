package dev.twophase.benchmarks.jdbc;

import dev.twophase.benchmarks.report.Ratio;
import dev.twophase.benchmarks.report.Spread;
import dev.twophase.benchmarks.report.Table;
import dev.twophase.benchmarks.report.Target;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.Entrant;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Turns;
import java.io.PrintStream;
import java.util.List;

/** How long it takes to commit what a crashed job had prepared. */
public final class JdbcRecoveryComparison implements Comparison {

  private static final String OURS = "ours";
  private static final String PREPARED = "prepared transactions";

  @Override
  public String name() {
    return "jdbc-recovery";
  }

  @Override
  public String summary() {
    return "seconds to commit 1,000 prepared epochs of 100 rows; against bare COMMIT PREPARED";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    Turns turns =
        Turns.take(
            List.of(
                new Entrant(OURS, RecoveryRun.class, "LEDGER", List.of()),
                new Entrant(PREPARED, RecoveryRun.class, "PREPARED", List.of())),
            settings,
            out);
    List<Double> ours = turns.figure(OURS, RecoveryRun.SECONDS);
    List<Double> prepared = turns.figure(PREPARED, RecoveryRun.SECONDS);
    Ratio ratio = Ratio.of("jdbc-recovery", prepared, ours);
    out.println();
    out.println(
        Table.ofSpreads("1,000 epochs of 100 rows")
            .row("ours: rows and ledger", "s", Spread.of(ours))
            .row("COMMIT PREPARED alone", "s", Spread.of(prepared))
            .row("COMMIT PREPARED / ours", "", ratio.spread())
            .text());
    out.println(Target.atMost("ours, the slowest round", 5, Spread.of(ours).max()).line());
    return ratio;
  }
}
