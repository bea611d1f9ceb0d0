package dev.twophase.jdbc.internal.ledger;

import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a constraint refuses where they stand, although it would wait for the commit: what they
 * need may come behind them. Rows of the same key stay behind one that is here, in their order; so
 * do all rows of a statement of the user's own, of which no key is known.
 */
final class Postponed {

  /** Rows held at most; from then on a row is refused where it stands. */
  private static final int MOST = 10_000;

  /** How often rows that may need one another are tried together. */
  private static final int CIRCLES = 2;

  /** Of a foreign key. */
  private static final String MISSES_A_ROW = "23503";

  /** A row of a transaction. */
  static final class Row {
    final long number;
    final byte operation;
    final @Nullable Object[] values;

    Row(long number, byte operation, @Nullable Object[] values) {
      this.number = number;
      this.operation = operation;
      this.values = values;
    }
  }

  /** A row, and why. */
  record Refused(Row row, SQLException error) {}

  /** Applies rows, or says why not; then nothing has been done. */
  interface Attempts {

    /** Returns null if the row is in. */
    @Nullable SQLException at(Row row) throws SQLException;

    /** Those that need one another in a circle: all, or none. */
    boolean atAll(List<Row> rows) throws SQLException;
  }

  private final Target target;
  private final List<Row> rows = new ArrayList<>();
  private final Set<List<String>> keys = new HashSet<>();
  private final List<Refused> failed = new ArrayList<>();

  Postponed(Target target) {
    this.target = target;
  }

  boolean isFull() {
    return rows.size() >= MOST;
  }

  /** Adds the row if it must stay behind one that is here. */
  boolean holdBack(Row row) {
    if (!keys.contains(key(row))) {
      return false;
    }
    rows.add(row);
    return true;
  }

  /** Adds a row that is refused where it stands. */
  void add(Row row, SQLException error) {
    rows.add(row);
    failed.add(new Refused(row, error));
    if (target.keys() > 0 || target.operation() != Operation.INSERT) {
      keys.add(key(row));
    }
  }

  private List<String> key(Row row) {
    List<String> key = new ArrayList<>();
    for (int i = 0; i < Math.min(target.keys(), row.values.length); i++) {
      key.add(Arrays.deepToString(new @Nullable Object[] {row.values[i]}));
    }
    return key;
  }

  /**
   * Tries them again, in their order, as long as one of them gets in; then all that are left
   * together. If that fails, those that miss no other row are refused, and the rest is tried
   * together once more. Rows that were behind a refused one are tried when that is out of their
   * way.
   *
   * @return those that are refused for good
   */
  List<Refused> settle(Attempts attempts) throws SQLException {
    List<Refused> refused = new ArrayList<>();
    int circles = CIRCLES;
    Postponed left = this;
    while (!left.rows.isEmpty()) {
      Postponed next = again(left.rows, attempts);
      if (next.rows.size() == left.rows.size()) {
        if (next.rows.size() > 1 && circles-- > 0 && attempts.atAll(next.rows)) {
          return refused;
        }
        List<Refused> now = next.hopeless();
        refused.addAll(now);
        Set<Row> gone = now.stream().map(Refused::row).collect(Collectors.toSet());
        next = again(next.rows.stream().filter(row -> !gone.contains(row)).toList(), attempts);
      }
      left = next;
    }
    return refused;
  }

  private List<Refused> hopeless() {
    List<Refused> missNone =
        failed.stream().filter(each -> !MISSES_A_ROW.equals(each.error().getSQLState())).toList();
    return missNone.isEmpty() ? failed : missNone;
  }

  private Postponed again(List<Row> again, Attempts attempts) throws SQLException {
    Postponed left = new Postponed(target);
    for (Row row : again) {
      if (!left.holdBack(row)) {
        SQLException error = attempts.at(row);
        if (error != null) {
          left.add(row, error);
        }
      }
    }
    return left;
  }
}
