package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Mistakes that show only where a kit is tempted not to look. */
class BlindSpotsTest {

  private static final Bound SMALL = Bound.oneFault().withParallelism(1).withCheckpoints(1);

  private static Exploration explore(Function<String, MemoryConnector> connector) {
    return SinkKit.of(new MemorySink(connector)).explore(SMALL);
  }

  private static void assertFound(Exploration explored, Verdict verdict) {
    assertThat(explored.findings())
        .as(explored.describe())
        .extracting(Judgement::verdict)
        .contains(verdict);
  }

  @Test
  void E1_whatAConnectorDropsAtTheEndOfInputIsALoss() {
    assertFound(explore(DropsAtEndOfInput::new), Verdict.LOSS);
  }

  @Test
  void aConnectorThatLosesItsStateWhenShippedNeverStarts() {
    assertFound(explore(SetInConstructor::new), Verdict.WEDGE);
  }

  @Test
  void aConnectorThatCannotBeShippedProvesNothingAndIsToldWhatToDo() {
    Exploration explored = explore(NotSerializable::new);

    assertThat(explored.tooInconclusive()).isTrue();
    assertThat(explored.whyInconclusive()).contains("cannot be shipped", "transient");
  }

  @Test
  void C7_theNameOfACallIsNoEvidenceThatItChangesNothing() {
    assertFound(SinkKit.of(new Decorated(RetriesBlindly::new)).explore(SMALL), Verdict.DUPLICATE);
  }

  @Test
  void W3_whatGoesWrongInAThreadOfTheSinksOwnIsMissed() {
    assertFound(
        SinkKit.of(new Decorated(setup -> new WritesAsynchronously(setup, Failure.IGNORED)))
            .explore(SMALL),
        Verdict.LOSS);
  }

  @Test
  void W3_aSinkThatWaitsForItsOwnThreadIsNotAccused() {
    Exploration explored =
        SinkKit.of(new Decorated(setup -> new WritesAsynchronously(setup, Failure.REPORTED)))
            .explore(SMALL);

    assertThat(explored.findings()).isEmpty();
    assertThat(explored.tooInconclusive()).as(explored.describe()).isFalse();
    assertThat(explored.firings())
        .anySatisfy(
            (point, count) -> {
              assertThat(point).startsWith("Client.write in ");
              assertThat(count).isPositive();
            });
  }

  @Test
  void W3_twoCallsInThreadsOfTheSinksOwnGoWrongInOneRun() {
    SinkKit<TestRecord> kit =
        SinkKit.of(new Decorated(setup -> new WritesAsynchronously(setup, Failure.RETRIED_ONCE)));

    assertThat(kit.explore(SMALL).findings()).isEmpty();
    Exploration explored = kit.exploreUntil(SMALL.withFaults(2), finding -> true);
    assertFound(explored, Verdict.LOSS);
    // Which record it is depends on which of the exploring threads comes first.
    assertThat(explored.findings().get(0).schedule().toString())
        .containsPattern("!Client.write#(1=E !Client.write#2|2=E !Client.write#3)=E");
  }

  @Test
  void C7_whatTakesThreeFaultsIsFoundOnRequest() {
    SinkKit<TestRecord> kit = SinkKit.of(new Decorated(TriesThreeTimes::new));

    assertThat(kit.explore(SMALL.withFaults(2)).findings()).isEmpty();
    Exploration explored = kit.exploreUntil(SMALL.withFaults(3), finding -> true);
    assertFound(explored, Verdict.LOSS);
    assertThat(explored.findings().get(0).schedule().toString())
        .contains("!Publisher.publish#1=E !Publisher.publish#2=E !Publisher.publish#3=E");
  }

  /** With a client that schedules strike at. */
  private record Decorated(Function<SinkSetup, MemoryConnector> connector)
      implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return connector.apply(setup);
    }
  }

  /** The store as a client that somebody else has made. */
  public interface Client {
    void write(TransactionId id, TestRecord record) throws IOException;

    void closeAndPublish(TransactionId id) throws IOException;
  }

  private record StoreClient(MemoryStore store) implements Client {
    @Override
    public void write(TransactionId id, TestRecord record) {
      synchronized (store) {
        if (!store.records(id).contains(record)) {
          store.write(id, record);
        }
      }
    }

    @Override
    public void closeAndPublish(TransactionId id) {
      store.records(id).forEach(store::publish);
    }
  }

  private static final class DropsAtEndOfInput extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private transient boolean ended;

    DropsAtEndOfInput(String namespace) {
      super(namespace);
    }

    @Override
    public void endOfInput() {
      ended = true;
    }

    @Override
    public Optional<String> preCommit(TransactionId transaction) throws Exception {
      if (!ended) {
        return super.preCommit(transaction);
      }
      abort(transaction);
      return Optional.empty();
    }
  }

  private static final class SetInConstructor extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private final transient List<TransactionId> begun = new ArrayList<>();

    SetInConstructor(String namespace) {
      super(namespace);
    }

    @Override
    public TransactionId begin(TransactionId id) {
      begun.add(id);
      return super.begin(id);
    }
  }

  private static final class NotSerializable extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"serial", "unused"}) // the mistake
    private final Object client = new Object();

    NotSerializable(String namespace) {
      super(namespace);
    }
  }

  private static final class RetriesBlindly extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private final SinkSetup setup;

    RetriesBlindly(SinkSetup setup) {
      super(setup.namespace());
      this.setup = setup;
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      if (store.records(id) == null) {
        return CommitOutcome.alreadyCommitted();
      }
      Client client = setup.faults().around(Client.class, new StoreClient(store));
      try {
        client.closeAndPublish(id);
      } catch (IOException again) {
        client.closeAndPublish(id);
      }
      store.abort(id);
      return CommitOutcome.committed();
    }
  }

  /** What a client does at once. */
  public interface Publisher {
    void publish(TransactionId id) throws IOException;
  }

  private static final class TriesThreeTimes extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private static final int MOST_TRIES = 3;
    private final SinkSetup setup;

    TriesThreeTimes(SinkSetup setup) {
      super(setup.namespace());
      this.setup = setup;
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) {
      Publisher publisher = setup.faults().around(Publisher.class, store::commit);
      for (int tries = 0; tries < MOST_TRIES; tries++) {
        try {
          publisher.publish(id);
          break;
        } catch (IOException again) {
          continue;
        }
      }
      return CommitOutcome.committed();
    }
  }

  /** What becomes of a write that goes wrong in a thread of the sink's own. */
  private enum Failure {
    REPORTED,
    IGNORED,
    /** And ignored, should it go wrong again. */
    RETRIED_ONCE
  }

  private static final class WritesAsynchronously extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private static final Executor OWN_THREAD = task -> new Thread(task, "writes").start();

    private final SinkSetup setup;
    private final Failure failure;
    private transient CompletableFuture<Void> written;

    WritesAsynchronously(SinkSetup setup, Failure failure) {
      super(setup.namespace());
      this.setup = setup;
      this.failure = failure;
    }

    @Override
    public TransactionId begin(TransactionId id) {
      written = CompletableFuture.completedFuture(null);
      return super.begin(id);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context) {
      Client client = setup.faults().around(Client.class, new StoreClient(store));
      written =
          written.thenRunAsync(
              () -> {
                if (!isWritten(client, transaction, record) && failure == Failure.RETRIED_ONCE) {
                  isWritten(client, transaction, record);
                }
              },
              OWN_THREAD);
    }

    private boolean isWritten(Client client, TransactionId transaction, TestRecord record) {
      try {
        client.write(transaction, record);
        return true;
      } catch (IOException e) {
        if (failure == Failure.REPORTED) {
          throw new IllegalStateException(e);
        }
        return false;
      }
    }

    @Override
    public Optional<String> preCommit(TransactionId transaction) throws Exception {
      try {
        written.get();
      } catch (ExecutionException e) {
        throw new IOException("a write failed", e);
      }
      return super.preCommit(transaction);
    }
  }
}
