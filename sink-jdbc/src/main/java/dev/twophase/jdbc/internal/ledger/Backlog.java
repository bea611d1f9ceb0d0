package dev.twophase.jdbc.internal.ledger;

import dev.twophase.TransactionId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an attempt has prepared and the ledger does not show as committed yet. A writer that gets
 * further and further ahead of the database would make each transaction larger than the one before,
 * until heap and checkpoints give in; from some size on it waits here instead. It waits for a
 * limited time only: a checkpoint that failed is committed with the next one, which needs the
 * writer. Not thread-safe.
 */
public final class Backlog {

  private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

  /** Bytes that a transaction may grow to while the one before is not committed. */
  public static final long MOST_AHEAD = 64L << 20;

  /** How long a writer waits, once per transaction. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long MILLIS_BETWEEN_LOOKS = 5;

  private final Callable<OptionalLong> ledger;
  private final Duration patience;

  /** Since when the newest transaction that is not known to be committed holds records. */
  private OptionalLong waiting = OptionalLong.empty();

  /**
   * @param ledger tells since which checkpoint the newest committed transaction of this attempt
   *     holds records
   */
  public Backlog(Callable<OptionalLong> ledger, Duration patience) {
    this.ledger = ledger;
    this.patience = patience;
  }

  /** Adds a transaction that has been prepared; its commit covers those before (C3). */
  public void add(TransactionId id) {
    waiting = OptionalLong.of(id.since());
  }

  /** A database that is away tells nothing. */
  private void look() throws Exception {
    try {
      OptionalLong committed = ledger.call();
      if (committed.isPresent() && waiting.getAsLong() <= committed.getAsLong()) {
        waiting = OptionalLong.empty();
      }
    } catch (SQLException away) {
      LOG.debug("The ledger could not be read; its commits are waited for", away);
    }
  }

  /**
   * Waits until all is committed, or patience ends.
   *
   * @return whether all is
   */
  public boolean awaitCommits() throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    if (waiting.isPresent()) {
      look();
    }
    while (waiting.isPresent() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_LOOKS);
      look();
    }
    return waiting.isEmpty();
  }
}
