package dev.twophase.jdbc.internal.ledger;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.ledger.Epochs.Epoch;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The table that proves what is committed: for each subtask and attempt, the checkpoint since which
 * its last committed transaction held records. Because a subtask's transactions commit in order
 * (C3), that one number answers for all of them, and the table does not grow with the number of
 * checkpoints.
 *
 * <p>Each commit also takes the next sequence number of its subtask. An attempt notes the newest
 * when it starts. A commit of another attempt with a later number, of records that this attempt
 * writes too, shows that the job was taken over, or runs twice (R5, R6). The numbers are unique: of
 * two attempts that commit at the same time the second waits for the first and then looks again.
 *
 * <p>One row more tells this ledger from others, so that what another one does not have, or this
 * one no longer, is not taken for evidence (decision 059). And after a rewind that was accepted, a
 * row per subtask says in which line of checkpoints its newest commit is, see {@link LineOfStart}.
 */
public final class Ledger {

  /** Rows kept per subtask: enough for as many restarts within the life of a checkpoint. */
  static final int KEPT = 100;

  /** Of the row that tells one ledger of a sink from another. */
  private static final int NO_SUBTASK = -1;

  private static final String IDENTITY = "ledger";

  private static final String LINE = "line";

  /** What stands for checkpoint 0 in a note of losses; -1 is an operator's. */
  private static final long FIRST_LOST = -2;

  private record Entry(String nonce, long since, long seq, long pruned) {}

  /**
   * @param identity 0 if there is none
   * @param line of the newest commit; 0 if there is no row that says it
   * @param newestLine the same of all subtasks
   */
  private record Page(long identity, long line, long newestLine, List<Entry> entries) {

    @Nullable Entry of(String nonce) {
      return entries.stream().filter(entry -> entry.nonce().equals(nonce)).findFirst().orElse(null);
    }
  }

  private final Dialect dialect;
  private final String table;
  private final String sinkName;

  public Ledger(Dialect dialect, SystemTables tables, String sinkName) {
    this.dialect = dialect;
    this.table = tables.ledgerName(dialect);
    this.sinkName = sinkName;
  }

  /** Newest sequence number of a subtask; 0 if there is none. */
  public long newest(Connection connection, int subtask) throws SQLException {
    return newest(read(connection, subtask).entries());
  }

  private static long newest(List<Entry> entries) {
    return entries.stream().mapToLong(Entry::seq).reduce(0, Math::max);
  }

  /**
   * Tells this sink's ledger from any other, and from the same one after its rows were lost: a
   * number that is drawn when the sink first uses it, never 0.
   *
   * @throws SQLException with a state of class 23 if another process was faster in this moment, on
   *     some databases
   */
  public long identity(Connection connection) throws SQLException {
    long known = read(connection, NO_SUBTASK).identity();
    if (known != 0) {
      return known;
    }
    long drawn = 1 | UUID.randomUUID().getMostSignificantBits();
    insert(connection, NO_SUBTASK, new Entry(IDENTITY, drawn, 1, 0), 0);
    return read(connection, NO_SUBTASK).identity();
  }

  /**
   * Takes the key of transactions, so that the caller, and nobody else, applies their rows in the
   * same local transaction. Waits for a concurrent commit of the same ones.
   *
   * @return empty if the caller is to apply the rows of all; else what is known of the first
   * @throws CommitRefusedException if the ledger no longer knows
   * @throws SQLException if another process was faster in this moment, or for any other reason
   */
  Optional<CommitOutcome> claim(Connection connection, Epochs epochs)
      throws SQLException, CommitRefusedException {
    TransactionId id = epochs.first().id();
    JdbcHandle handle = epochs.first().handle();
    String nonce = hex(id.nonce());
    Page page = pageOf(connection, id, handle);
    List<Entry> entries = page.entries();
    Entry own = page.of(nonce);
    if (own != null && own.since() >= id.since()) {
      return Optional.of(CommitOutcome.alreadyCommitted());
    }
    if (handle.line() > 0 && handle.line() < page.newestLine()) {
      return Optional.of(CommitOutcome.superseded(leftBehind(handle, page.newestLine())));
    }
    // Of a line that was left behind everything is, whatever the numbers of its checkpoints.
    long from = Math.abs(handle.line()) < page.line() ? 0 : handle.firstSince();
    for (Entry entry : entries) {
      if (!entry.nonce().equals(nonce) && entry.seq() > handle.base() && entry.since() >= from) {
        return Optional.of(CommitOutcome.superseded(supersededBy(id, entry)));
      }
    }
    long pruned = own == null ? pruned(id, handle, entries) : 0;
    checkNothingIsMissing(page, own, epochs.first());
    long seq = 1 + newest(entries);
    if (own == null) {
      long nowPruned = prune(connection, id, entries, pruned);
      Entry first = new Entry(nonce, epochs.last().id().since(), seq, nowPruned);
      insertMine(connection, id.subtask(), first, epochs.rows());
    } else if (!advance(connection, epochs, seq)) {
      throw busy();
    }
    noteLine(connection, id.subtask(), page.line(), Math.abs(handle.line()));
    return Optional.empty();
  }

  /**
   * Why a prepared transaction is not to be committed: whatever subtask has begun a newer line. Of
   * a subtask without a commit there, nothing else tells. A ledger that is not there tells nothing.
   */
  Optional<CommitOutcome> judgeLine(Connection connection, TransactionId id, JdbcHandle handle)
      throws SQLException {
    if (handle.line() <= 0) {
      return Optional.empty();
    }
    long newest;
    try {
      newest = read(connection, id.subtask()).newestLine();
    } catch (SQLException error) {
      if (Dialect.isOfMissingTable(error)) {
        connection.rollback();
        return Optional.empty();
      }
      throw error;
    }
    return handle.line() < newest
        ? Optional.of(CommitOutcome.superseded(leftBehind(handle, newest)))
        : Optional.empty();
  }

  private String leftBehind(JdbcHandle handle, long newest) {
    return "it belongs to line "
        + handle.line()
        + " of the job's checkpoints, which was left when the job was taken back and went on in"
        + " line "
        + newest
        + ". Restore a checkpoint of that one, or start without state; if the job that went on"
        + " there was a mistake, stop it and bring its line back to this one: UPDATE "
        + table
        + " SET since="
        + handle.line()
        + " WHERE sink='"
        + sinkName
        + "' AND nonce='"
        + LINE
        + "'";
  }

  /** A line comes to be with its first commit: one that has none leaves no other behind. */
  private void noteLine(Connection connection, int subtask, long known, long line)
      throws SQLException {
    if (line <= Math.max(known, LineOfStart.FIRST)) {
      return;
    }
    int ofLine = LineOfStart.rowOf(subtask);
    if (known == 0) {
      insertMine(connection, ofLine, new Entry(LINE, line, 1, 0), 0);
    } else {
      update(connection, ofLine, LINE, line);
    }
  }

  /**
   * Whether the ledger has this transaction or a later one of its attempt.
   *
   * @throws CommitRefusedException if it is not the ledger that would know, or no longer
   */
  boolean isCommitted(Connection connection, TransactionId id, JdbcHandle handle)
      throws SQLException, CommitRefusedException {
    Page page = pageOf(connection, id, handle);
    Entry own = page.of(hex(id.nonce()));
    if (own != null && own.since() >= id.since()) {
      return true;
    }
    checkNothingIsMissing(page, own, new Epoch(id, handle));
    return false;
  }

  /** Since which checkpoint an attempt's newest committed transaction holds records, if any. */
  public OptionalLong committedSince(Connection connection, int subtask, UUID nonce)
      throws SQLException {
    Entry own = read(connection, subtask).of(hex(nonce));
    return own == null ? OptionalLong.empty() : OptionalLong.of(own.since());
  }

  /** What another ledger does not have is no evidence (C6), nor is that there is none. */
  private Page pageOf(Connection connection, TransactionId id, JdbcHandle handle)
      throws SQLException, CommitRefusedException {
    Page page;
    try {
      page = read(connection, id.subtask());
    } catch (SQLException error) {
      if (handle.ledger() != 0 && Dialect.isOfMissingTable(error)) {
        throw new CommitRefusedException(refusal(id, ", which does not exist"), error);
      }
      throw error;
    }
    if (handle.ledger() != 0 && handle.ledger() != page.identity()) {
      throw new CommitRefusedException(
          refusal(id, page.identity() == 0 ? ", which has no rows of this sink" : ""));
    }
    return page;
  }

  private String refusal(TransactionId id, String because) {
    return "Transaction "
        + id
        + " was prepared with another ledger than "
        + table
        + because
        + ": whether it is committed cannot be known. Use the ledger and database of that time,"
        + " or bring the sink's rows back into this one; if they are lost, see what the target"
        + " holds and start without this state";
  }

  /**
   * What is committed stays in the ledger, and a transaction is committed after the one before it
   * (C3): if that one is not there, or fewer commits than its attempt found when it began, the
   * ledger is older than the state, and the target most likely with it.
   */
  private void checkNothingIsMissing(Page page, @Nullable Entry own, Epoch epoch)
      throws CommitRefusedException {
    JdbcHandle handle = epoch.handle();
    if (handle.ledger() == 0 || handle.previous() == JdbcHandle.UNKNOWN) {
      return;
    }
    boolean isFirst = handle.previous() == JdbcHandle.FIRST;
    boolean hasPrevious =
        (own != null && own.since() >= handle.previous())
            || lostSince(page, epoch.id()) >= handle.previous();
    if (newest(page.entries()) < handle.base() || !(isFirst || hasPrevious)) {
      throw new CommitRefusedException(
          "Transaction "
              + epoch.id()
              + " follows commits that "
              + table
              + " does not have: it is older than this state, as after a restore of the database"
              + " from a backup, and what was committed since is likely to be missing in the target"
              + " too. Restore the database to a later moment; or the job from a checkpoint that is"
              + " not newer than the backup, with RewindPolicy.ACCEPT");
    }
  }

  /**
   * Notes that a transaction is lost: those behind it, which a quarantine may let pass, will not
   * find it among the commits. The note is a row with a checkpoint below 0, and proves no commit.
   *
   * @throws SQLException if another process was faster in this moment, or for any other reason
   */
  void noteLoss(Connection connection, TransactionId id) throws SQLException {
    Page page = read(connection, id.subtask());
    if (lostSince(page, id) >= id.since()) {
      return;
    }
    String nonce = ofLosses(id);
    long since = FIRST_LOST - id.since();
    if (page.of(nonce) == null) {
      insertMine(connection, id.subtask(), new Entry(nonce, since, belowAll(page), 0), 0);
      return;
    }
    update(connection, id.subtask(), nonce, since);
  }

  private void update(Connection connection, int subtask, String nonce, long since)
      throws SQLException {
    String sql = "UPDATE " + table + " SET since=? WHERE sink=? AND subtask=? AND nonce=?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, since);
      statement.setString(2, sinkName);
      statement.setInt(3, subtask);
      statement.setString(4, nonce);
      statement.executeUpdate();
    }
  }

  /** A number that no commit takes, so that a note waits for none that is prepared. */
  private static long belowAll(Page page) {
    return page.entries().stream().mapToLong(Entry::seq).reduce(0, Math::min) - 1;
  }

  /** Since which checkpoint the newest of an attempt's lost transactions held records. */
  private static long lostSince(Page page, TransactionId id) {
    Entry note = page.of(ofLosses(id));
    return note == null ? Long.MIN_VALUE : FIRST_LOST - note.since();
  }

  /** In place of the attempt's nonce, and as long. */
  private static String ofLosses(TransactionId id) {
    return "L" + hex(id.nonce()).substring(1);
  }

  private String supersededBy(TransactionId id, Entry entry) {
    return "attempt "
        + entry.nonce()
        + " has committed records since checkpoint "
        + entry.since()
        + " for subtask "
        + id.subtask()
        + ". If a second job runs under the sink name '"
        + sinkName
        + "', stop it and give it another name; if it is that attempt, also: UPDATE "
        + table
        + " SET since=-1 WHERE sink='"
        + sinkName
        + "' AND nonce='"
        + entry.nonce()
        + "'. Delete nothing there: a ledger without its rows cannot tell what is committed";
  }

  private boolean advance(Connection connection, Epochs epochs, long seq) throws SQLException {
    TransactionId id = epochs.first().id();
    String sql =
        "UPDATE "
            + table
            + " SET since=?, seq=?, row_count=row_count+?"
            + " WHERE sink=? AND subtask=? AND nonce=? AND since<?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, epochs.last().id().since());
      statement.setLong(2, seq);
      statement.setLong(3, epochs.rows());
      statement.setString(4, sinkName);
      statement.setInt(5, id.subtask());
      statement.setString(6, hex(id.nonce()));
      statement.setLong(7, id.since());
      return statement.executeUpdate() == 1;
    } catch (SQLException error) {
      throw busyIfTaken(error);
    }
  }

  private String insertSql() {
    String plain =
        "INSERT INTO "
            + table
            + " (sink, subtask, nonce, since, seq, pruned, row_count) VALUES (?,?,?,?,?,?,?)";
    return dialect.insertUnlessThere(plain, "sink, subtask, nonce").orElse(plain);
  }

  /** Inserts a row that nobody else may have inserted. */
  private void insertMine(Connection connection, int subtask, Entry entry, long rows)
      throws SQLException {
    try {
      if (insert(connection, subtask, entry, rows) == 0) {
        throw busy();
      }
    } catch (SQLException error) {
      throw busyIfTaken(error);
    }
  }

  /** Returns 0 if its key is there, on databases that can tell so without an error. */
  private int insert(Connection connection, int subtask, Entry entry, long rows)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insertSql())) {
      statement.setString(1, sinkName);
      statement.setInt(2, subtask);
      statement.setString(3, entry.nonce());
      statement.setLong(4, entry.since());
      statement.setLong(5, entry.seq());
      statement.setLong(6, entry.pruned());
      statement.setLong(7, rows);
      return statement.executeUpdate();
    }
  }

  /** Key or number were taken by another attempt, or another committer of this one. */
  private static SQLException busyIfTaken(SQLException error) {
    return Dialect.isOfConstraint(error) ? busy() : error;
  }

  private static SQLException busy() {
    return new SQLTransientException(
        "Another process has just committed a transaction of this subtask");
  }

  /**
   * Highest sequence number that was ever forgotten.
   *
   * @throws CommitRefusedException if what is asked for may be among it
   */
  private long pruned(TransactionId id, JdbcHandle handle, List<Entry> entries)
      throws CommitRefusedException {
    long pruned = entries.stream().mapToLong(Entry::pruned).max().orElse(0);
    if (pruned > handle.base()) {
      throw new CommitRefusedException(
          "Transaction "
              + id
              + " comes from a checkpoint so old that "
              + table
              + " may have forgotten its commit: restore from a later one");
    }
    return pruned;
  }

  /**
   * Forgets the oldest attempts, and remembers up to where.
   *
   * @param pruned highest sequence number that was forgotten before
   * @return the same afterwards
   */
  private long prune(Connection connection, TransactionId id, List<Entry> entries, long pruned)
      throws SQLException {
    if (entries.size() < KEPT) {
      return pruned;
    }
    List<Entry> oldest = new ArrayList<>(entries);
    oldest.sort(Comparator.comparingLong(Entry::seq));
    long upTo = oldest.get(entries.size() - KEPT).seq();
    String sql = "DELETE FROM " + table + " WHERE sink=? AND subtask=? AND seq<=?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, sinkName);
      statement.setInt(2, id.subtask());
      statement.setLong(3, upTo);
      statement.executeUpdate();
    }
    // A note of a loss is below all numbers, and goes first.
    return Math.max(pruned, upTo);
  }

  private Page read(Connection connection, int subtask) throws SQLException {
    String sql =
        "SELECT subtask, nonce, since, seq, pruned FROM "
            + table
            + " WHERE sink=? AND (subtask=? OR subtask<="
            + NO_SUBTASK
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, sinkName);
      statement.setInt(2, subtask);
      long identity = 0;
      long line = 0;
      long newestLine = 0;
      List<Entry> entries = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          int of = result.getInt(1);
          if (of == NO_SUBTASK) {
            identity = result.getLong(3);
          } else if (of < NO_SUBTASK) {
            line = of == LineOfStart.rowOf(subtask) ? result.getLong(3) : line;
            newestLine = Math.max(newestLine, result.getLong(3));
          } else {
            entries.add(
                new Entry(
                    result.getString(2), result.getLong(3), result.getLong(4), result.getLong(5)));
          }
        }
      }
      return new Page(identity, line, newestLine, entries);
    }
  }

  private static String hex(UUID nonce) {
    return nonce.toString().replace("-", "");
  }
}
