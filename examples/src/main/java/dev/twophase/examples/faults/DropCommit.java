package dev.twophase.examples.faults;

import dev.twophase.CommitOutcome;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A broken sink: now and then it reports a transaction as committed without committing it. */
final class DropCommit<IN, T, H> extends DelegatingConnector<IN, T, H> {

  private static final long serialVersionUID = 1L;
  private static final int DROPPED_OF = 10;

  /** Counts across restarts. */
  private static final AtomicInteger COMMITS = new AtomicInteger();

  DropCommit(TransactionalConnector<IN, T, H> inner) {
    super(inner);
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<H>> transactions) throws Exception {
    if (COMMITS.incrementAndGet() % DROPPED_OF == 0) {
      return transactions.stream().map(dropped -> CommitOutcome.committed()).toList();
    }
    return super.commitAll(transactions);
  }
}
