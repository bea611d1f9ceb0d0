package dev.twophase.gallery.connector;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Connectors that are each wrong in one way. */
public final class BrokenConnectors {

  private BrokenConnectors() {}

  /** Mutant 4. */
  public static final class DoesNotAwaitWrites extends PipelinedConnector {
    private static final long serialVersionUID = 1L;

    public DoesNotAwaitWrites(SinkSetup setup) {
      super(setup);
    }

    @Override
    void awaitWrites() {}
  }

  /** Mutant 8. */
  public static final class FailsWhenCommitted extends StoreConnector {
    private static final long serialVersionUID = 1L;

    public FailsWhenCommitted(SinkSetup setup) {
      super(setup);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      CommitOutcome outcome = super.commit(id, handle);
      if (outcome != CommitOutcome.committed()) {
        throw new IOException("there is no prepared transaction " + id);
      }
      return outcome;
    }
  }

  /** Mutant 9. */
  public static final class AppendsWithoutKey extends LedgerConnector {
    private static final long serialVersionUID = 1L;

    public AppendsWithoutKey(SinkSetup setup) {
      super(setup);
    }

    @Override
    public CommitOutcome commit(TransactionId id, List<TestRecord> rows) throws IOException {
      client().append(rows);
      return CommitOutcome.committed();
    }
  }

  /** Mutant 14. */
  public static final class RedoesUnderAnotherKey extends LedgerConnector {
    private static final long serialVersionUID = 1L;

    public RedoesUnderAnotherKey(SinkSetup setup) {
      super(setup);
    }

    @Override
    public CommitOutcome commit(TransactionId id, List<TestRecord> rows) throws IOException {
      try {
        return super.commit(id, rows);
      } catch (IOException timedOut) {
        client().insert(id + "-again", rows);
        return CommitOutcome.committed();
      }
    }
  }

  /** Mutant 17. */
  public static final class ListsOnlyPresentSubtasks extends StoreConnector {
    private static final long serialVersionUID = 1L;

    public ListsOnlyPresentSubtasks(SinkSetup setup) {
      super(setup);
    }

    @Override
    public List<Unfinished> unfinished() throws IOException {
      int parallelism = context().parallelism();
      return super.unfinished().stream().filter(each -> each.id().subtask() < parallelism).toList();
    }
  }

  /** Mutant 19. */
  public static final class BeginsUnderRandomIds extends StoreConnector {
    private static final long serialVersionUID = 1L;

    public BeginsUnderRandomIds(SinkSetup setup) {
      super(setup);
    }

    @Override
    public String begin(TransactionId id) throws IOException {
      String random = UUID.randomUUID().toString();
      client().begin(random);
      return random;
    }
  }

  /** Mutant 23: each row is published on its own, under a key of its own. */
  public static final class PublishesRowByRow extends StagedLedgerConnector {
    private static final long serialVersionUID = 1L;

    public PublishesRowByRow(SinkSetup setup) {
      super(setup);
    }

    @Override
    public CommitOutcome commit(TransactionId id, List<TestRecord> rows) throws IOException {
      String staging = id.toString();
      client().begin(staging);
      for (TestRecord row : rows) {
        client().write(staging, row);
        client().insert(staging + "#" + row.id(), List.of(row));
      }
      client().abort(staging);
      return CommitOutcome.committed();
    }
  }

  /** Mutant 27: of what a neighbour is called it sees only the beginning. */
  public static final class KnowsItsOwnByPrefix extends StoreConnector {
    private static final long serialVersionUID = 1L;

    public KnowsItsOwnByPrefix(SinkSetup setup) {
      super(setup);
    }

    @Override
    public List<Unfinished> unfinished() throws IOException {
      String name = context().sinkName();
      return client().listUnfinished().stream()
          .filter(text -> text.startsWith(name))
          .flatMap(text -> TransactionId.parse(text).stream())
          .map(id -> new TransactionId(name, id.subtask(), id.since(), id.nonce()))
          .map(Unfinished::of)
          .toList();
    }

    @Override
    public void abort(Unfinished transaction) throws IOException {
      String id = transaction.id().toString();
      String behindName = id.substring(id.indexOf('.'));
      for (String text : client().listUnfinished()) {
        if (text.startsWith(transaction.id().sinkName()) && text.endsWith(behindName)) {
          client().abort(text);
        }
      }
    }
  }

  /** Control: takes everything and keeps nothing. */
  public static final class BlackHole extends StoreConnector {
    private static final long serialVersionUID = 1L;

    public BlackHole(SinkSetup setup) {
      super(setup);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      client().abort(id.toString());
      return CommitOutcome.committed();
    }
  }

  /** Control: no commit ever succeeds. */
  public static final class NeverCommits extends StoreConnector {
    private static final long serialVersionUID = 1L;

    public NeverCommits(SinkSetup setup) {
      super(setup);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      throw new IOException("the store is closed for good");
    }
  }
}
