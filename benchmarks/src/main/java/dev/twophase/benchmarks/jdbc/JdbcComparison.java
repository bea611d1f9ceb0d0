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

/** Rows per second of whole jobs into PostgreSQL and MariaDB. */
public final class JdbcComparison implements Comparison {

  private static final List<String> HEAP = List.of("-Xms3g", "-Xmx3g");
  private static final List<String> LITTLE = List.of("-Xms512m", "-Xmx512m");

  /** Two, since after the first the JVMs still spend a third of their time on compiling. */
  private static final int WARM_UPS = 2;

  private static final String OURS = "ours";
  private static final String EXACTLY_ONCE = "Flink exactly-once";
  private static final String AT_LEAST_ONCE = "Flink at-least-once";
  private static final String COPY = "bare COPY";
  private static final String SOURCE = "the source alone";
  private static final String MARIADB = "ours on MariaDB";
  private static final String LOAD_DATA = "bare LOAD DATA";

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public String summary() {
    return "rows/s of whole jobs into PostgreSQL and MariaDB; against flink-connector-jdbc";
  }

  @Override
  public Ratio run(RunSettings settings, PrintStream out) throws Exception {
    Turns postgres =
        Turns.take(
            List.of(
                job(OURS, JdbcSinkKind.TWOPHASE),
                job(EXACTLY_ONCE, JdbcSinkKind.FLINK_EXACTLY_ONCE),
                job(AT_LEAST_ONCE, JdbcSinkKind.FLINK_AT_LEAST_ONCE),
                new Entrant(COPY, BareLoad.class, "COPY", LITTLE),
                new Entrant(SOURCE, SourceAlone.class, "", LITTLE)),
            WARM_UPS,
            settings,
            out);
    Turns mariaDb =
        Turns.take(
            List.of(
                job(MARIADB, JdbcSinkKind.TWOPHASE_MARIADB),
                new Entrant(LOAD_DATA, BareLoad.class, "LOAD_DATA", LITTLE)),
            WARM_UPS,
            settings,
            out);
    List<Double> ours = postgres.figure(OURS, JdbcJob.RATE);
    Ratio ratio = Ratio.of("jdbc", ours, postgres.figure(EXACTLY_ONCE, JdbcJob.RATE));
    Ratio atLeastOnce = Ratio.of("jdbc-alo", ours, postgres.figure(AT_LEAST_ONCE, JdbcJob.RATE));
    Ratio copy = Ratio.of("jdbc-copy", ours, postgres.figure(COPY, JdbcJob.RATE));
    Ratio most =
        Ratio.of(
            "jdbc-most",
            postgres.figure(COPY, JdbcJob.RATE),
            postgres.figure(EXACTLY_ONCE, JdbcJob.RATE));
    Ratio loadData =
        Ratio.of(
            "jdbc-load-data",
            mariaDb.figure(MARIADB, JdbcJob.RATE),
            mariaDb.figure(LOAD_DATA, JdbcJob.RATE));
    Table table = Table.ofSpreads("bigint key, 50 characters, double");
    for (String label : List.of(OURS, EXACTLY_ONCE, AT_LEAST_ONCE, COPY, SOURCE)) {
      table.row(label, "rows/s", Spread.of(postgres.figure(label, JdbcJob.RATE)));
    }
    for (String label : List.of(MARIADB, LOAD_DATA)) {
      table.row(label, "rows/s", Spread.of(mariaDb.figure(label, JdbcJob.RATE)));
    }
    for (String label : List.of(OURS, EXACTLY_ONCE, AT_LEAST_ONCE)) {
      table.row(
          label + ": barrier to visible", "ms", Spread.of(postgres.figure(label, JdbcJob.COMMIT)));
      table.row(
          label + ": checkpoint", "ms", Spread.of(postgres.figure(label, JdbcJob.CHECKPOINT)));
    }
    out.println();
    out.println(
        table
            .row("ours / Flink exactly-once", "", ratio.spread())
            .row("ours / Flink at-least-once", "", atLeastOnce.spread())
            .row("ours / bare COPY", "", copy.spread())
            .row("bare COPY / Flink exactly-once", "", most.spread())
            .row("ours on MariaDB / bare LOAD DATA", "", loadData.spread())
            .text());
    out.println(Target.atLeast("exactly-once", 2, ratio.spread().median()).line());
    out.println(Target.atLeast("at-least-once", 1.5, atLeastOnce.spread().median()).line());
    out.println(Target.atLeast("of bare COPY", 0.6, copy.spread().median()).line());
    out.println(Target.atLeast("of LOAD DATA", 0.6, loadData.spread().median()).line());
    return ratio;
  }

  private static Entrant job(String label, JdbcSinkKind kind) {
    return new Entrant(label, JdbcJob.class, kind.name(), HEAP);
  }
}
