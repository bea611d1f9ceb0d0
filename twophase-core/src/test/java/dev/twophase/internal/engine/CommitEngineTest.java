package dev.twophase.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext.Role;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.OutcomeUnknownException;
import dev.twophase.error.TransactionLostException;
import dev.twophase.error.TransactionSupersededException;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.internal.flink.ConnectorInstance;
import dev.twophase.policy.LossPolicy;
import dev.twophase.policy.LostTransaction;
import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryConnector;
import dev.twophase.store.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The committing half of the protocol, rule by rule. */
class CommitEngineTest {

  private static final List<LostTransaction> QUARANTINED = new ArrayList<>();

  private final ManualClock clock = new ManualClock();
  private final List<String> settled = new ArrayList<>();
  private SinkOptions options = SinkOptions.defaults();
  private MemoryStore store;
  private Scripted connector;

  /** Throws or answers what the test put in its script, then behaves. */
  private static final class Scripted extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    final transient Deque<Object> script = new ArrayDeque<>();
    final transient List<TransactionId> asked = new ArrayList<>();
    transient Optional<Duration> lifetime = Optional.empty();
    transient boolean ordered;

    /** How many it takes of what it is given at once. */
    transient int most = Integer.MAX_VALUE;

    Scripted(String storeName) {
      super(storeName);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      asked.add(id);
      Object next = script.poll();
      if (next instanceof Exception error) {
        throw error;
      }
      return next instanceof CommitOutcome outcome ? outcome : super.commit(id, handle);
    }

    @Override
    public boolean commitsInOrder() {
      return ordered;
    }

    @Override
    public List<CommitOutcome> commitAll(List<PreparedTransaction<String>> transactions)
        throws Exception {
      return super.commitAll(transactions.subList(0, Math.min(most, transactions.size())));
    }

    @Override
    public Optional<Duration> transactionLifetime() {
      return lifetime;
    }
  }

  @BeforeEach
  void fresh(TestInfo test) {
    QUARANTINED.clear();
    String storeName = "commit-" + test.getDisplayName();
    store = MemoryStore.named(storeName);
    connector = new Scripted(storeName);
    connector.open(
        new ConnectorInstance(
            Role.COMMITTER,
            "orders",
            0,
            1,
            UUID.randomUUID(),
            Optional.empty(),
            OptionalLong.empty(),
            DeliveryGuarantee.EXACTLY_ONCE,
            new UnregisteredMetricsGroup(),
            new SimpleCounter(),
            getClass().getClassLoader()));
  }

  private PreparedTransaction<String> prepared(
      int subtask, long checkpoint, Unfinished... lingering) {
    TransactionId id = new TransactionId("orders", subtask, checkpoint - 1, UUID.randomUUID());
    store.begin(id);
    store.write(id, subtask + "-" + checkpoint);
    return new PreparedTransaction<>(
        id, checkpoint, clock.now, clock.now, 1, Optional.of(id.toString()), List.of(lingering));
  }

  private void commit(List<PreparedTransaction<String>> transactions) throws Exception {
    new CommitEngine<>(connector, options, clock, () -> 0.5, ProtocolListener.NONE)
        .commit(
            transactions,
            (transaction, settlement) ->
                settled.add(
                    transaction.id().subtask()
                        + "-"
                        + transaction.checkpointId()
                        + " "
                        + settlement));
  }

  @Test
  void C2_committingAgainIsAlreadyCommitted() throws Exception {
    PreparedTransaction<String> transaction = prepared(0, 1);
    commit(List.of(transaction));
    commit(List.of(transaction));
    assertThat(settled)
        .containsExactly("0-1 " + Settlement.COMMITTED, "0-1 " + Settlement.ALREADY_COMMITTED);
    assertThat(store.visible()).containsExactly("0-1");
  }

  @Test
  void C3_oneSubtasksTransactionsCommitInCheckpointOrder() throws Exception {
    commit(List.of(prepared(0, 3), prepared(1, 2), prepared(0, 1), prepared(0, 2)));
    assertThat(store.visible().stream().filter(each -> each.startsWith("0")))
        .containsExactly("0-1", "0-2", "0-3");
  }

  @Test
  void C3_theFirstThatFailsStopsThoseBehindIt() {
    connector.script.add(CommitOutcome.lost("gone"));
    List<PreparedTransaction<String>> two = List.of(prepared(0, 1), prepared(0, 2));
    assertThatThrownBy(() -> commit(two)).isInstanceOf(TransactionLostException.class);
    assertThat(store.visible()).isEmpty();
    assertThat(connector.asked).hasSize(1);
  }

  @Test
  void C3_aConnectorThatKeepsTheOrderIsGivenAllInThatOrder() throws Exception {
    connector.ordered = true;
    List<PreparedTransaction<String>> three =
        List.of(prepared(0, 3), prepared(0, 1), prepared(1, 2));
    commit(three);
    assertThat(connector.asked)
        .containsExactly(three.get(1).id(), three.get(2).id(), three.get(0).id());
    assertThat(settled).containsExactly("0-1 COMMITTED", "1-2 COMMITTED", "0-3 COMMITTED");
  }

  @Test
  void C3_aConnectorThatKeepsTheOrderIsAskedAgainForTheRestOnly() throws Exception {
    connector.ordered = true;
    connector.most = 2;
    commit(List.of(prepared(0, 1), prepared(0, 2), prepared(0, 3)));
    assertThat(connector.asked).hasSize(3);
    assertThat(settled).containsExactly("0-1 COMMITTED", "0-2 COMMITTED", "0-3 COMMITTED");
  }

  @Test
  void C3_aLossStopsTheRestWhereTheConnectorKeepsTheOrder() {
    connector.ordered = true;
    connector.most = 1;
    connector.script.add(CommitOutcome.lost("gone"));
    List<PreparedTransaction<String>> two = List.of(prepared(0, 1), prepared(0, 2));
    assertThatThrownBy(() -> commit(two)).isInstanceOf(TransactionLostException.class);
    assertThat(store.visible()).isEmpty();
  }

  @Test
  void C7_aConnectorThatTellsNoOutcomeIsAnError() {
    connector.ordered = true;
    connector.most = 0;
    List<PreparedTransaction<String>> one = List.of(prepared(0, 1));
    assertThatThrownBy(() -> commit(one))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was given 1 transactions and told of 0");
  }

  @Test
  void C3_quarantinedLossDoesNotStopThoseBehindIt() throws Exception {
    options = options.withLossPolicy(LossPolicy.quarantine(QUARANTINED::add));
    connector.script.add(CommitOutcome.lost("gone"));
    commit(List.of(prepared(0, 1), prepared(0, 2)));
    assertThat(settled).containsExactly("0-1 QUARANTINED", "0-2 COMMITTED");
  }

  @Test
  void C7_unknownOutcomeIsAskedForAgainUnderTheSameIdAndNothingIsCleanedUp() throws Exception {
    PreparedTransaction<String> transaction = prepared(0, 1);
    connector.script.add(new IOException("reply lost"));
    connector.script.add(new IOException("reply lost"));
    commit(List.of(transaction));
    assertThat(connector.asked).hasSize(3).containsOnly(transaction.id());
    assertThat(settled).containsExactly("0-1 COMMITTED");
    assertThat(store.log()).noneMatch(each -> each.startsWith("abort"));
  }

  @Test
  void C8_retriesBackOffWithinTheOptionAndThenFailTheJob() {
    options = options.withCommitTimeout(Duration.ofSeconds(10));
    for (int i = 0; i < 100; i++) {
      connector.script.add(new IOException("down"));
    }
    PreparedTransaction<String> transaction = prepared(0, 1);
    long start = clock.now;
    assertThatThrownBy(() -> commit(List.of(transaction)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining(transaction.id().toString())
        .hasMessageContaining("PT10S")
        .hasRootCauseMessage("down");
    assertThat(clock.now - start).isEqualTo(10_000);
    assertThat(clock.sleeps).isNotEmpty();
    assertThat(clock.sleeps.get(1)).isGreaterThan(clock.sleeps.get(0));
    assertThat(store.unfinished()).containsExactly(transaction.id());
  }

  @Test
  void C8_remainingLifetimeBoundsTheRetries() {
    connector.lifetime = Optional.of(Duration.ofSeconds(2));
    for (int i = 0; i < 100; i++) {
      connector.script.add(new IOException("down"));
    }
    PreparedTransaction<String> transaction = prepared(0, 1);
    long start = clock.now;
    assertThatThrownBy(() -> commit(List.of(transaction)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(clock.now - start).isEqualTo(2_000);
  }

  @Test
  void C8_expiredTransactionIsStillAskedForOnce() throws Exception {
    connector.lifetime = Optional.of(Duration.ofSeconds(2));
    PreparedTransaction<String> transaction = prepared(0, 1);
    clock.now += 1_000_000;
    commit(List.of(transaction));
    assertThat(settled).containsExactly("0-1 COMMITTED");
  }

  @Test
  void C8_waitingIsInterruptible() {
    connector.script.add(new IOException("down"));
    clock.interrupted = true;
    List<PreparedTransaction<String>> one = List.of(prepared(0, 1));
    assertThatThrownBy(() -> commit(one)).isInstanceOf(InterruptedException.class);
  }

  @Test
  void C8_refusedCommitFailsAtOnce() {
    connector.script.add(new CommitRefusedException("the target belongs to somebody else"));
    List<PreparedTransaction<String>> one = List.of(prepared(0, 1));
    assertThatThrownBy(() -> commit(one)).isInstanceOf(CommitRefusedException.class);
    assertThat(clock.sleeps).isEmpty();
  }

  @Test
  void C9_provenLossFailsTheJobByDefaultNamingWhatIsLost() {
    connector.script.add(CommitOutcome.lost("coordinator says aborted"));
    PreparedTransaction<String> transaction = prepared(0, 7);
    assertThatThrownBy(() -> commit(List.of(transaction)))
        .isInstanceOf(TransactionLostException.class)
        .hasMessageContaining(transaction.id().toString())
        .hasMessageContaining("checkpoint 7")
        .hasMessageContaining("1 records")
        .hasMessageContaining("coordinator says aborted");
    assertThat(settled).isEmpty();
  }

  @Test
  void C9_quarantineRecordsTheLossBeforeTheJobGoesOn() throws Exception {
    options = options.withLossPolicy(LossPolicy.quarantine(QUARANTINED::add));
    connector.script.add(CommitOutcome.lost("gone"));
    PreparedTransaction<String> transaction = prepared(0, 1);
    commit(List.of(transaction));
    assertThat(QUARANTINED).extracting(LostTransaction::id).containsExactly(transaction.id());
  }

  @Test
  void C9_lossThatCannotBeRecordedFailsTheJob() {
    options =
        options.withLossPolicy(
            LossPolicy.quarantine(
                lost -> {
                  throw new IOException("quarantine is full");
                }));
    connector.script.add(CommitOutcome.lost("gone"));
    List<PreparedTransaction<String>> one = List.of(prepared(0, 1));
    assertThatThrownBy(() -> commit(one)).hasMessage("quarantine is full");
    assertThat(settled).isEmpty();
  }

  @Test
  void R5_supersededZombieStopsWithoutALoss() {
    options = options.withLossPolicy(LossPolicy.quarantine(QUARANTINED::add));
    connector.script.add(CommitOutcome.superseded("epoch is newer"));
    List<PreparedTransaction<String>> one = List.of(prepared(0, 1));
    assertThatThrownBy(() -> commit(one))
        .isInstanceOf(TransactionSupersededException.class)
        .hasMessageContaining("epoch is newer");
    assertThat(QUARANTINED).isEmpty();
  }

  @Test
  void R2_lingeringIsAbortedOnlyAfterEverythingGivenIsCommitted() throws Exception {
    PreparedTransaction<String> old = prepared(1, 1);
    TransactionId lingering = new TransactionId("orders", 0, 0, UUID.randomUUID());
    store.begin(lingering);
    PreparedTransaction<String> carrier =
        prepared(0, 2, Unfinished.of(lingering), Unfinished.of(old.id()));
    commit(List.of(carrier, old));
    assertThat(store.visible()).containsExactlyInAnyOrder("0-2", "1-1");
    assertThat(store.unfinished()).isEmpty();
    assertThat(store.log().get(store.log().size() - 1)).isEqualTo("abort 0@0");
  }

  @Test
  void R2_onlyWhatIsListedIsAborted() throws Exception {
    TransactionId listed = new TransactionId("orders", 0, 0, UUID.randomUUID());
    TransactionId successor = new TransactionId("orders", 0, 1, UUID.randomUUID());
    store.begin(listed);
    store.begin(successor);
    commit(
        List.of(
            new PreparedTransaction<>(
                listed, 1, 0, 0, 0, Optional.empty(), List.of(Unfinished.of(listed)))));
    assertThat(store.unfinished()).containsExactly(successor);
  }

  @Test
  void A1_sweepThatFailsIsRepeated() throws Exception {
    TransactionId lingering = new TransactionId("orders", 0, 0, UUID.randomUUID());
    store.begin(lingering);
    List<String> attempts = new ArrayList<>();
    MemoryConnector flaky =
        new MemoryConnector("commit-" + "A1_sweepThatFailsIsRepeated()") {
          @Override
          public void abort(Unfinished transaction) {
            attempts.add("abort");
            if (attempts.size() < 3) {
              throw new IllegalStateException("down");
            }
            super.abort(transaction);
          }
        };
    flaky.open(
        new ConnectorInstance(
            Role.COMMITTER,
            "orders",
            0,
            1,
            UUID.randomUUID(),
            Optional.empty(),
            OptionalLong.empty(),
            DeliveryGuarantee.EXACTLY_ONCE,
            new UnregisteredMetricsGroup(),
            new SimpleCounter(),
            getClass().getClassLoader()));
    new CommitEngine<>(flaky, options, clock, () -> 0, ProtocolListener.NONE)
        .commit(
            List.of(
                new PreparedTransaction<>(
                    lingering, 1, 0, 0, 0, Optional.empty(), List.of(Unfinished.of(lingering)))),
            (transaction, settlement) -> {});
    assertThat(attempts).hasSize(3);
    assertThat(store.unfinished()).isEmpty();
  }
}
