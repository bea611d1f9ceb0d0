package dev.twophase.testkit.store;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.ConnectorContext.Role;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Connectors that are each wrong in one way. */
public final class BrokenConnectors {

  /** What is not there any more must have been committed. */
  public static final class TakesLossForDone extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    public TakesLossForDone(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) {
      return store.commit(id) ? CommitOutcome.committed() : CommitOutcome.alreadyCommitted();
    }
  }

  /** Correct, unless it opens when its successor has already begun. */
  public static final class AbortsWhatItFinds extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    public AbortsWhatItFinds(String namespace) {
      super(namespace);
    }

    @Override
    public void open(ConnectorContext context) {
      super.open(context);
      if (context.role() == Role.WRITER) {
        unfinished().forEach(this::abort);
      }
    }
  }

  private BrokenConnectors() {}

  /** Makes everything visible as soon as it is prepared. */
  public static final class CommitsInPreCommit extends MemoryConnector {
    public CommitsInPreCommit(String namespace) {
      super(namespace);
    }

    @Override
    public Optional<String> preCommit(TransactionId transaction) {
      store.commit(transaction);
      return Optional.of(transaction.toString());
    }
  }

  /** Forgets every second record. */
  public static final class LosesRecords extends MemoryConnector {
    public LosesRecords(String namespace) {
      super(namespace);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      if (record.id() % 2 != 0) {
        super.write(transaction, record, context);
      }
    }
  }

  /** Carries its records in the handle and publishes them each time it is asked to. */
  public static final class PublishesAgain extends MemoryConnector {
    public PublishesAgain(String namespace) {
      super(namespace);
    }

    @Override
    public Optional<String> preCommit(TransactionId transaction) {
      StringBuilder text = new StringBuilder();
      store.records(transaction).forEach(each -> text.append(each.asText()).append('\n'));
      store.abort(transaction);
      return Optional.of(text.toString());
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) {
      handle.lines().map(TestRecord::fromText).forEach(store::publish);
      return CommitOutcome.committed();
    }
  }

  /** Never manages to commit. */
  public static final class NeverCommits extends MemoryConnector {
    public NeverCommits(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws IOException {
      throw new IOException("not today");
    }
  }

  /** Says yes to everything and keeps nothing. */
  public static final class BlackHole extends MemoryConnector {
    public BlackHole(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) {
      store.abort(id);
      return CommitOutcome.committed();
    }
  }

  /** Keeps the records of a prepared transaction in the process that wrote them. */
  public static final class KeepsRecordsOnTheHeap extends MemoryConnector {
    private static final Map<String, List<TestRecord>> HEAP = new HashMap<>();

    public KeepsRecordsOnTheHeap(String namespace) {
      super(namespace);
    }

    @Override
    public void open(ConnectorContext context) {
      super.open(context);
      if (context.role() == Role.COMMITTER) {
        HEAP.keySet().removeIf(key -> key.startsWith(namespace + "/" + context.subtask() + "/"));
      }
    }

    @Override
    public Optional<String> preCommit(TransactionId transaction) {
      String handle = namespace + "/" + transaction.subtask() + "/" + transaction;
      HEAP.put(handle, store.records(transaction));
      store.abort(transaction);
      return Optional.of(handle);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) {
      List<TestRecord> records = HEAP.remove(handle);
      if (records != null) {
        records.forEach(store::publish);
      }
      return CommitOutcome.committed();
    }
  }

  /** Never lists what it left behind. */
  public static final class ForgetsWhatLingers extends MemoryConnector {
    public ForgetsWhatLingers(String namespace) {
      super(namespace);
    }

    @Override
    public List<Unfinished> unfinished() {
      return List.of();
    }
  }

  /** Cannot commit what is committed already. */
  public static final class FailsWhenAlreadyCommitted extends MemoryConnector {
    public FailsWhenAlreadyCommitted(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws IOException {
      if (!store.commit(id)) {
        throw new IOException("no such transaction: " + handle);
      }
      return CommitOutcome.committed();
    }
  }
}
