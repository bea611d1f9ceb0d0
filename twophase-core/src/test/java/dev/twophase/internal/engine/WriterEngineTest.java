package dev.twophase.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.ConnectorContext.Role;
import dev.twophase.HandleSerializers;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.internal.flink.ConnectorInstance;
import dev.twophase.internal.state.PreparedTransactionSerializer;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The writing half of the protocol, rule by rule. */
class WriterEngineTest {

  private static final WriteContext NOWHEN =
      new WriteContext() {
        @Override
        public @Nullable Long timestamp() {
          return null;
        }

        @Override
        public long currentWatermark() {
          return Long.MIN_VALUE;
        }

        @Override
        public long currentProcessingTime() {
          return 0;
        }
      };

  private String storeName;
  private MemoryStore store;

  @BeforeEach
  void freshStore(TestInfo test) {
    storeName = "writer-" + test.getDisplayName();
    store = MemoryStore.named(storeName);
  }

  private WriterEngine<String, TransactionId, String> engine(
      MemoryConnector connector, int subtask, int parallelism, long restored) throws Exception {
    UUID nonce = UUID.randomUUID();
    ConnectorInstance context =
        new ConnectorInstance(
            Role.WRITER,
            "orders",
            subtask,
            parallelism,
            nonce,
            Optional.empty(),
            OptionalLong.empty(),
            DeliveryGuarantee.EXACTLY_ONCE,
            new UnregisteredMetricsGroup(),
            new SimpleCounter(),
            getClass().getClassLoader());
    connector.open(context);
    return new WriterEngine<>(
        connector,
        new Attempt("orders", subtask, parallelism, nonce, restored),
        new ManualClock(),
        ProtocolListener.NONE);
  }

  private WriterEngine<String, TransactionId, String> engine(int subtask, int p, long restored)
      throws Exception {
    return engine(new MemoryConnector(storeName), subtask, p, restored);
  }

  @Test
  void W1_recordGoesIntoTheTransactionOpenWhenItArrives() throws Exception {
    WriterEngine<String, TransactionId, String> engine = engine(0, 1, 0);
    engine.write("a", NOWHEN);
    PreparedTransaction<String> first = engine.prepare().orElseThrow();
    engine.snapshotTaken(1);
    engine.write("b", NOWHEN);
    PreparedTransaction<String> second = engine.prepare().orElseThrow();

    store.commit(first.id());
    assertThat(store.visible()).containsExactly("a");
    store.commit(second.id());
    assertThat(store.visible()).containsExactly("a", "b");
    assertThat(first.records()).isEqualTo(1);
  }

  @Test
  void E1_noIntervalIsCoveredAfterTheTransactionThatEndsTheInput() throws Exception {
    MemoryConnector everyInterval =
        new MemoryConnector(storeName) {
          @Override
          public boolean coversEmptyIntervals() {
            return true;
          }
        };
    WriterEngine<String, TransactionId, String> engine = engine(everyInterval, 0, 1, 0);
    assertThat(engine.prepare()).isPresent();
    engine.snapshotTaken(1);
    engine.endOfInput();
    assertThat(engine.prepare()).isPresent();
    engine.snapshotTaken(2);

    assertThat(engine.prepare()).isEmpty();
  }

  @Test
  void W3_transactionWithAFailedWriteCannotBePrepared() throws Exception {
    WriterEngine<String, TransactionId, String> engine =
        engine(
            new MemoryConnector(storeName) {
              @Override
              public void write(TransactionId id, String record, WriteContext context) {
                if (record.equals("bad")) {
                  throw new IllegalArgumentException("bad record");
                }
                super.write(id, record, context);
              }
            },
            0,
            1,
            0);
    engine.write("good", NOWHEN);
    assertThatThrownBy(() -> engine.write("bad", NOWHEN)).hasMessage("bad record");
    assertThatThrownBy(engine::prepare)
        .hasMessageContaining("failed write")
        .hasRootCauseMessage("bad record");
  }

  @Test
  void W3_failedPreCommitIsNotPreparedAtTheNextCheckpointEither() throws Exception {
    WriterEngine<String, TransactionId, String> engine =
        engine(
            new MemoryConnector(storeName) {
              @Override
              public Optional<String> preCommit(TransactionId id) {
                throw new IllegalStateException("disk full");
              }
            },
            0,
            1,
            0);
    engine.write("a", NOWHEN);
    assertThatThrownBy(engine::prepare).hasMessage("disk full");
    assertThatThrownBy(engine::prepare).hasRootCauseMessage("disk full");
    engine.abortOpen();
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void W4_noTransactionOutlivesASnapshot() throws Exception {
    WriterEngine<String, TransactionId, String> engine = engine(0, 1, 0);
    engine.write("a", NOWHEN);
    assertThatThrownBy(() -> engine.snapshotTaken(1)).hasMessageContaining("outlive");
  }

  @Test
  void W5_emptyIntervalTouchesNothing() throws Exception {
    WriterEngine<String, TransactionId, String> engine = engine(0, 1, 0);
    assertThat(engine.prepare()).isEmpty();
    engine.snapshotTaken(1);
    assertThat(engine.prepare()).isEmpty();
    assertThat(store.log()).isEmpty();
  }

  @Test
  void W5_steadyStateDoesNotListTheResource() throws Exception {
    List<String> listings = new ArrayList<>();
    WriterEngine<String, TransactionId, String> engine =
        engine(
            new MemoryConnector(storeName) {
              @Override
              public List<Unfinished> unfinished() {
                listings.add("listed");
                return super.unfinished();
              }
            },
            0,
            1,
            0);
    for (int checkpoint = 1; checkpoint <= 5; checkpoint++) {
      engine.write("r" + checkpoint, NOWHEN);
      engine.prepare();
      engine.snapshotTaken(checkpoint);
    }
    assertThat(listings).hasSize(1);
  }

  @Test
  void W6_idsNeverCollideAcrossSubtasksAttemptsAndRestartsWithoutState() throws Exception {
    Set<TransactionId> ids = new HashSet<>();
    int begun = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
      for (int subtask = 0; subtask < 2; subtask++) {
        WriterEngine<String, TransactionId, String> engine = engine(subtask, 2, 0);
        for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
          engine.write("x", NOWHEN);
          ids.add(engine.prepare().orElseThrow().id());
          engine.snapshotTaken(checkpoint);
          begun++;
        }
      }
    }
    assertThat(ids).hasSize(begun);
  }

  @Test
  void R2_lingeringTransactionsTravelInTheHandleAndAreNotAbortedAtRestore() throws Exception {
    engine(0, 1, 0).write("lost with its attempt", NOWHEN);
    List<TransactionId> lingering = store.unfinished();

    WriterEngine<String, TransactionId, String> next = engine(0, 1, 0);
    PreparedTransaction<String> cleanUp = next.prepare().orElseThrow();
    assertThat(store.unfinished()).isEqualTo(lingering);
    assertThat(cleanUp.handle()).isEmpty();
    assertThat(cleanUp.lingering()).extracting(Unfinished::id).isEqualTo(lingering);
  }

  @Test
  void R2_passesRepeatUntilOneFindsNothing() throws Exception {
    engine(0, 1, 0).write("x", NOWHEN);
    WriterEngine<String, TransactionId, String> next = engine(0, 1, 0);
    assertThat(next.prepare().orElseThrow().lingering()).hasSize(1);
    next.snapshotTaken(1);

    engine(0, 1, 0).write("a zombie begins late", NOWHEN);
    assertThat(next.prepare().orElseThrow().lingering()).hasSize(2);
    next.snapshotTaken(2);
    store.unfinished().forEach(store::abort);
    assertThat(next.prepare()).isEmpty();
  }

  @Test
  void R2_neverAnotherSinksTransactions() throws Exception {
    store.begin(new TransactionId("orders-eu", 0, 0, UUID.randomUUID()));
    assertThat(engine(0, 1, 0).prepare()).isEmpty();
  }

  @Test
  void R3_everyFormerSubtaskIsInheritedByExactlyOneWhateverTheParallelism() throws Exception {
    for (int subtask = 0; subtask < 5; subtask++) {
      engine(subtask, 5, 0).write("x", NOWHEN);
    }
    for (int parallelism = 1; parallelism <= 7; parallelism++) {
      List<TransactionId> inherited = new ArrayList<>();
      for (int subtask = 0; subtask < parallelism; subtask++) {
        engine(subtask, parallelism, 0)
            .prepare()
            .ifPresent(cleanUp -> cleanUp.lingering().forEach(each -> inherited.add(each.id())));
      }
      assertThat(inherited).containsExactlyInAnyOrderElementsOf(store.unfinished());
    }
  }

  @Test
  void R6_committedTransactionSinceTheRestoredCheckpointProvesARewind() throws Exception {
    WriterEngine<String, TransactionId, String> first = engine(0, 1, 0);
    first.write("a", NOWHEN);
    store.commit(first.prepare().orElseThrow().id());
    first.snapshotTaken(5);
    first.write("b", NOWHEN);
    store.commit(first.prepare().orElseThrow().id());

    engine(0, 1, 6).checkRewind(RewindPolicy.FAIL);
    assertThatThrownBy(() -> engine(0, 1, 5).checkRewind(RewindPolicy.FAIL))
        .isInstanceOf(RewindDetectedException.class)
        .hasMessageContaining("checkpoint 5")
        .hasMessageContaining("RewindPolicy.ACCEPT");
    engine(0, 1, 5).checkRewind(RewindPolicy.ACCEPT);
  }

  @Test
  void R6_proofOfAnotherLineNamesWhatToRestore() throws Exception {
    TransactionId elsewhere = new TransactionId("orders", 0, 3, UUID.randomUUID());
    MemoryConnector branched =
        new MemoryConnector(storeName) {
          @Override
          public Optional<TransactionId> committedSince(long checkpointId) {
            return Optional.of(elsewhere);
          }
        };
    assertThatThrownBy(() -> engine(branched, 0, 1, 18).checkRewind(RewindPolicy.FAIL))
        .isInstanceOf(RewindDetectedException.class)
        .hasMessageContaining("started from checkpoint 18")
        .hasMessageContaining("began at checkpoint 3 of a line that left this checkpoint behind")
        .hasMessageContaining("latest checkpoint of the job that took the place of this one");
    engine(branched, 0, 1, 18).checkRewind(RewindPolicy.ACCEPT);
  }

  @Test
  void R6_restartWithoutStateOverCommittedOutputIsARewind() throws Exception {
    WriterEngine<String, TransactionId, String> first = engine(0, 1, 0);
    first.write("a", NOWHEN);
    store.commit(first.prepare().orElseThrow().id());
    assertThatThrownBy(() -> engine(0, 1, 0).checkRewind(RewindPolicy.FAIL))
        .hasMessageContaining("no checkpoint");
  }

  @Test
  void E2_closeAbortsTheOpenTransactionAndNeverAPreparedOne() throws Exception {
    WriterEngine<String, TransactionId, String> engine = engine(0, 1, 0);
    engine.write("a", NOWHEN);
    TransactionId prepared = engine.prepare().orElseThrow().id();
    engine.snapshotTaken(1);
    engine.write("b", NOWHEN);
    engine.abortOpen();
    engine.abortOpen();
    assertThat(store.unfinished()).containsExactly(prepared);
  }

  @Test
  void E2_abortAtCloseIsBestEffort() throws Exception {
    WriterEngine<String, TransactionId, String> engine =
        engine(
            new MemoryConnector(storeName) {
              @Override
              public void abort(TransactionId transaction) {
                throw new java.io.UncheckedIOException(new IOException("unreachable"));
              }
            },
            0,
            1,
            0);
    engine.write("a", NOWHEN);
    engine.abortOpen();
    assertThat(engine.isOpen()).isFalse();
    assertThat(store.unfinished()).hasSize(1);
  }

  @Test
  void W2_handleAloneIsEnoughForAnotherProcess() throws Exception {
    WriterEngine<String, TransactionId, String> engine = engine(0, 1, 0);
    engine.write("a", NOWHEN);
    PreparedTransactionSerializer<String> serializer =
        new PreparedTransactionSerializer<>(HandleSerializers.text());
    byte[] bytes = serializer.serialize(engine.prepare().orElseThrow());

    MemoryConnector elsewhere = new MemoryConnector(storeName);
    engine(elsewhere, 3, 4, 0);
    new CommitEngine<>(
            elsewhere, SinkOptions.defaults(), new ManualClock(), () -> 0, ProtocolListener.NONE)
        .commit(
            List.of(serializer.deserialize(serializer.getVersion(), bytes)),
            (transaction, settlement) -> {});
    assertThat(store.visible()).containsExactly("a");
  }

  @Test
  void C10_commitMayRunInsideWriteAndPreCommit() throws Exception {
    List<Runnable> mailbox = new ArrayList<>();
    MemoryConnector yielding =
        new MemoryConnector(storeName) {
          @Override
          public void write(TransactionId id, String record, WriteContext context) {
            mailbox.forEach(Runnable::run);
            super.write(id, record, context);
          }

          @Override
          public Optional<String> preCommit(TransactionId id) {
            mailbox.forEach(Runnable::run);
            return super.preCommit(id);
          }
        };
    WriterEngine<String, TransactionId, String> engine = engine(yielding, 0, 1, 0);
    engine.write("a", NOWHEN);
    TransactionId first = engine.prepare().orElseThrow().id();
    engine.snapshotTaken(1);
    mailbox.add(() -> store.commit(first));
    engine.write("b", NOWHEN);
    assertThat(store.visible()).containsExactly("a");
    assertThat(engine.prepare().orElseThrow().records()).isEqualTo(1);
  }
}
