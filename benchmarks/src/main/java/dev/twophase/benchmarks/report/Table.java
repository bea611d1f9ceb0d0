package dev.twophase.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A plain-text table: first column to the left, the others to the right. */
public final class Table {

  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    rows.add(List.of(header));
  }

  /** Adds a row of a label and one figure's spread. */
  public Table row(String label, String unit, Spread spread) {
    List<String> row = new ArrayList<>(List.of(label, unit));
    row.addAll(spread.cells());
    rows.add(List.copyOf(row));
    return this;
  }

  /** The usual header for {@link #row}. */
  public static Table ofSpreads(String what) {
    return new Table(what, "unit", "median", "min", "max");
  }

  public String text() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int index = 0; index < rows.size(); index++) {
      text.append(line(rows.get(index), widths));
      if (index == 0) {
        text.append(rule(widths));
      }
    }
    return text.toString();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      String pad = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? cell + pad : "  " + pad + cell);
    }
    return line.toString().stripTrailing() + "\n";
  }

  private static String rule(int[] widths) {
    return "-".repeat(Arrays.stream(widths).sum() + 2 * (widths.length - 1)) + "\n";
  }
}
