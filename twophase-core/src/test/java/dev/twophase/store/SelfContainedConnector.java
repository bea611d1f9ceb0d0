package dev.twophase.store;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import java.util.List;
import java.util.Optional;

/** Carries its records in the handle, so that a savepoint alone is enough to commit them. */
public class SelfContainedConnector extends MemoryConnector {

  private static final long serialVersionUID = 1L;

  public SelfContainedConnector(String storeName) {
    super(storeName);
  }

  @Override
  public Optional<String> preCommit(TransactionId transaction) {
    return Optional.of(String.join(",", store.recordsOf(transaction)));
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) {
    if (store.isCommitted(id)) {
      return CommitOutcome.alreadyCommitted();
    }
    store.commitAs(id, List.of(handle.split(",")));
    return CommitOutcome.committed();
  }
}
