package dev.twophase.jdbc.internal.ledger;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Transactions of one attempt of a subtask, in the order of their checkpoints; at least one. */
record Epochs(List<Epoch> epochs) {

  /** Rows from which on no more transactions are added: one alone may have more. */
  private static final long ENOUGH_ROWS = 20_000;

  /** One of them. */
  record Epoch(TransactionId id, JdbcHandle handle) {

    static Epoch of(PreparedTransaction<JdbcHandle> transaction) {
      return new Epoch(transaction.id(), transaction.handle().orElseThrow());
    }
  }

  /** What writes transactions that follow one another. */
  record Attempt(int subtask, UUID nonce) {

    static Attempt of(TransactionId id) {
      return new Attempt(id.subtask(), id.nonce());
    }
  }

  static Epochs of(TransactionId id, JdbcHandle handle) {
    return new Epochs(List.of(new Epoch(id, handle)));
  }

  /** As many, from the first on, as one local transaction should take. */
  static <T extends PreparedTransaction<JdbcHandle>> List<T> first(List<T> transactions) {
    long rows = 0;
    int count = 0;
    while (count < transactions.size() && rows < ENOUGH_ROWS) {
      rows += Epoch.of(transactions.get(count)).handle().rows();
      count++;
    }
    return transactions.subList(0, count);
  }

  /** Sorts by attempt; each keeps the order. Attempts of a subtask follow one another as given. */
  static Collection<Epochs> byAttempt(List<PreparedTransaction<JdbcHandle>> transactions) {
    Map<Attempt, Epochs> attempts = new LinkedHashMap<>();
    for (PreparedTransaction<JdbcHandle> each : transactions) {
      attempts
          .computeIfAbsent(Attempt.of(each.id()), attempt -> new Epochs(new ArrayList<>()))
          .epochs()
          .add(Epoch.of(each));
    }
    return attempts.values();
  }

  Epoch first() {
    return epochs.get(0);
  }

  Epoch last() {
    return epochs.get(epochs.size() - 1);
  }

  long rows() {
    return epochs.stream().mapToLong(each -> each.handle().rows()).sum();
  }

  /** The same without the first {@code count}. */
  Epochs from(int count) {
    return new Epochs(epochs.subList(count, epochs.size()));
  }
}
