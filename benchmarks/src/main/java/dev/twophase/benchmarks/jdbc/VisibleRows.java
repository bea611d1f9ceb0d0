package dev.twophase.benchmarks.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the table from outside while a job writes rows numbered from 0 on in their order: what
 * a reader sees counts, not what a sink says. A look costs the server a few lookups by key.
 */
final class VisibleRows implements AutoCloseable {

  private static final int MILLIS_BETWEEN_LOOKS = 50;

  /** What the first checkpoint of a job that has hardly begun may hold; looks begin with it. */
  private static final long FEW_ROWS = 1_000;

  private record Seen(long rows, long nanoTime) {}

  private final Connection connection;
  private final List<Seen> changes = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable SQLException failure;

  private VisibleRows(Connection connection) {
    this.connection = connection;
    this.thread = new Thread(this::look, "visible-rows");
  }

  static VisibleRows of(Database database) throws SQLException {
    VisibleRows rows = new VisibleRows(database.connect());
    rows.thread.start();
    return rows;
  }

  private void look() {
    try (PreparedStatement lookup =
        connection.prepareStatement("SELECT 1 FROM " + Database.TABLE + " WHERE id=?")) {
      long rows = 0;
      boolean last;
      do {
        last = closed;
        long now = visible(lookup, rows);
        if (now > rows) {
          rows = now;
          changes.add(new Seen(rows, System.nanoTime()));
        }
        if (!last) {
          Thread.sleep(MILLIS_BETWEEN_LOOKS);
        }
      } while (!last);
    } catch (SQLException error) {
      failure = error;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** The rows from the first on are there without a gap, so the number can be searched for. */
  private static long visible(PreparedStatement lookup, long atLeast) throws SQLException {
    if (!isThere(lookup, atLeast)) {
      return atLeast;
    }
    long there = atLeast;
    long step = FEW_ROWS;
    while (isThere(lookup, there + step)) {
      there += step;
      step *= 2;
    }
    long absent = there + step;
    while (absent - there > 1) {
      long middle = (there + absent) >>> 1;
      if (isThere(lookup, middle)) {
        there = middle;
      } else {
        absent = middle;
      }
    }
    return there + 1;
  }

  private static boolean isThere(PreparedStatement lookup, long id) throws SQLException {
    lookup.setLong(1, id);
    try (ResultSet result = lookup.executeQuery()) {
      return result.next();
    }
  }

  /**
   * Rows per second while rows flow: between the first and the last time that rows were seen to
   * become visible, so that it does not matter how many become so at once.
   *
   * @param began when the first row passed; counts if only one change was seen
   * @param ended when the last row passed
   */
  double rate(long began, long ended) {
    Seen from = new Seen(0, began);
    Seen to = from;
    for (Seen change : changes) {
      if (from.rows() == 0 && change.rows() > FEW_ROWS) {
        from = change;
      }
      if (change.nanoTime() <= ended || to.rows() <= from.rows()) {
        to = change;
      }
    }
    if (to.rows() <= from.rows()) {
      from = new Seen(0, began);
    }
    return (to.rows() - from.rows()) * 1e9 / (to.nanoTime() - from.nanoTime());
  }

  /** From a barrier until the rows before it were seen, on average; see {@link EntryFeed}. */
  double millisUntilVisible(List<Long> passages) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i + 1 < passages.size(); i += 2) {
      long passed = passages.get(i);
      for (Seen change : changes) {
        if (change.rows() >= passed) {
          sum += Math.max(0, change.nanoTime() - passages.get(i + 1));
          count++;
          break;
        }
      }
    }
    return sum / 1e6 / Math.max(1, count);
  }

  @Override
  public void close() throws SQLException, InterruptedException {
    closed = true;
    thread.join();
    connection.close();
    SQLException failed = failure;
    if (failed != null) {
      throw failed;
    }
  }
}
