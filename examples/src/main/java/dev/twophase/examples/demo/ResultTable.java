package dev.twophase.examples.demo;

import dev.twophase.examples.faults.FaultReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run went through and what the recount found, as text. */
final class ResultTable {

  private ResultTable() {}

  static List<String> lines(
      String title, List<FaultReport> reports, RecountResult recount, boolean counts) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(title);
    lines.add(row("", "fault", "where", "checkpoint", "recovered", "lost", "duplicated"));
    for (int i = 0; i < reports.size(); i++) {
      FaultReport report = reports.get(i);
      RecountResult.Difference found = recount.stretches().get(i);
      lines.add(
          row(
              i + 1,
              report.kind().text(),
              report.where(),
              report.checkpoint(),
              report.kind().crashes() ? report.recoveredMillis() + " ms" : "no restart",
              found.lost(),
              found.duplicated()));
    }
    RecountResult.Difference rest = recount.stretches().get(recount.stretches().size() - 1);
    lines.add(row("", "end of input", "", "", "", rest.lost(), rest.duplicated()));
    if (counts) {
      String place = recount.output().files() == 1 ? "table" : "partitions";
      lines.add(side("expected", recount.input(), "counts of the lines of %,d files"));
      lines.add(side("committed", recount.output(), "counts in %,d " + place));
    } else {
      lines.add(side("read", recount.input(), "records in %,d files"));
      lines.add(side("written", recount.output(), "records in %,d files"));
    }
    return lines;
  }

  /** What is wrong with the output; empty if nothing is. */
  static List<String> verdicts(RecountResult recount) {
    List<String> lines = new ArrayList<>();
    if (recount.lost() > 0) {
      lines.add(String.format(Locale.ROOT, "LOSS: %,d records are missing", recount.lost()));
    }
    if (recount.duplicated() > 0) {
      lines.add(
          String.format(
              Locale.ROOT, "DUPLICATE: %,d records are there too often", recount.duplicated()));
    }
    if (recount.foreign() > 0) {
      lines.add(
          String.format(
              Locale.ROOT, "FOREIGN: %,d records were never in the input", recount.foreign()));
    }
    if (lines.isEmpty() && !recount.exact()) {
      lines.add("CORRUPT: counts or digests of input and output differ");
    }
    for (RecountResult.Difference file : recount.files()) {
      lines.add("  " + file.name() + ": lost " + file.lost() + ", duplicated " + file.duplicated());
    }
    return lines;
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "%2s  %-38s  %-15s  %10s  %10s  %5s  %10s", cells)
        .stripTrailing();
  }

  private static String side(String verb, RecountResult.Side side, String what) {
    return String.format(
        Locale.ROOT,
        "    %-9s %,d " + what + ", digest %s",
        verb,
        side.records(),
        side.files(),
        side.digest().substring(0, 16));
  }
}
