package dev.twophase.jdbc.internal.ledger;

import dev.twophase.TransactionId;
import dev.twophase.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which line of checkpoints a writer that starts is in, and whether the job was taken back (R6): by
 * the newest commit of each subtask, and the line of the restored state. All subtasks of a start
 * come to one number without asking each other, because a new line is noted with its first commit
 * only, which comes after all of them have started.
 *
 * @param line that of what the attempt commits
 * @param known whether its states may tell; a subtask that got no state cannot know whether its job
 *     is in the newest line
 * @param proof a committed transaction that shows that the job was taken back
 */
public record LineOfStart(long line, boolean known, Optional<TransactionId> proof) {

  /** Of commits of subtasks without a row that says otherwise. */
  static final long FIRST = 1;

  /** Above those that say in which line a subtask's newest commit is, see {@link #rowOf}. */
  private static final int LINES = -2;

  private record Head(TransactionId id, long line) {}

  /** Of an attempt that asks nothing of the ledger. */
  public static LineOfStart unknown() {
    return new LineOfStart(FIRST, false, Optional.empty());
  }

  /**
   * For a handle: below 0 if it is not known, so that nothing is refused for it. A subtask without
   * a state takes the ledger's newest, beside others that may be about to begin another.
   */
  public long inHandle() {
    return known ? line : -line;
  }

  /** In place of the subtask, in the row that says in which line its newest commit is. */
  static int rowOf(int subtask) {
    return LINES - subtask;
  }

  /**
   * Looks at the ledger. Commits that an operator has disowned, by a checkpoint below 0, do not
   * count.
   *
   * @param restored line of the restored state, if there is one that tells
   * @param checkpoint the restored one; 0 if there is none
   */
  public static LineOfStart look(
      Connection connection,
      Dialect dialect,
      SystemTables tables,
      String sinkName,
      OptionalLong restored,
      long checkpoint)
      throws SQLException {
    String table = tables.ledgerName(dialect);
    String sql =
        "SELECT subtask, since, nonce FROM "
            + table
            + " a WHERE sink=? AND (subtask<="
            + LINES
            + " OR (subtask>=0 AND since>=0 AND NOT EXISTS (SELECT 1 FROM "
            + table
            + " b WHERE b.sink=a.sink AND b.subtask=a.subtask AND b.seq>a.seq AND b.since>=0)))";
    List<TransactionId> newest = new ArrayList<>();
    Map<Integer, Long> lines = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, sinkName);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          int subtask = result.getInt(1);
          long since = result.getLong(2);
          if (subtask <= LINES) {
            lines.put(LINES - subtask, since);
          } else {
            TransactionId.parse(sinkName + "." + subtask + "." + since + "." + result.getString(3))
                .ifPresent(newest::add);
          }
        }
      }
    }
    List<Head> heads =
        newest.stream().map(id -> new Head(id, lines.getOrDefault(id.subtask(), FIRST))).toList();
    return of(heads, restored, checkpoint);
  }

  /**
   * What older lines have committed counts no more: a subtask that is idle in the newest, or is no
   * longer there, would have every later start refused. A state of an older line is behind the
   * newest one's first commit, whatever its number: it is the one that line began at, one before
   * it, or one that was left behind.
   */
  private static LineOfStart of(List<Head> heads, OptionalLong restored, long checkpoint) {
    long newest = heads.stream().mapToLong(Head::line).reduce(FIRST, Math::max);
    boolean older = restored.isPresent() && restored.getAsLong() < newest;
    Optional<TransactionId> proof =
        heads.stream()
            .filter(head -> head.line() == newest)
            .map(Head::id)
            .filter(id -> older || id.since() >= checkpoint)
            .findFirst();
    if (proof.isPresent()) {
      return new LineOfStart(Math.max(newest, restored.orElse(0)) + 1, true, proof);
    }
    boolean known = restored.isPresent() || checkpoint == 0 || newest == FIRST;
    return new LineOfStart(restored.orElse(newest), known, proof);
  }
}
