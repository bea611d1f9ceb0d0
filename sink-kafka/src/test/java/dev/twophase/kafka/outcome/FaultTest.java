package dev.twophase.kafka.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.twophase.CommitOutcome;
import dev.twophase.kafka.MadeProducers;
import dev.twophase.kafka.ProxiedKafka;
import dev.twophase.kafka.SharedKafka;
import dev.twophase.kafka.Sinks;
import dev.twophase.kafka.TransactionalKafkaSink;
import dev.twophase.kafka.start.CapturedLog;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.kafka.KafkaBroker;
import dev.twophase.testkit.kafka.KafkaCluster;
import dev.twophase.testkit.proxy.Interception;
import dev.twophase.testkit.proxy.RequestFault;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C6 and C7 where replies get lost, brokers die or stand still, and coordinators forget. */
class FaultTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @RegisterExtension
  static final ProxiedKafka KAFKA =
      new ProxiedKafka(
          KafkaCluster.builder()
              .property("transactional.id.expiration.ms", 3_000)
              .property("broker.session.timeout.ms", 3_000));

  private final String name = SharedKafka.uniqueName("fault");
  private final String topic = name;

  @BeforeEach
  void createTopic() {
    KAFKA.cluster().createTopic(topic, 1);
  }

  /** Short timeouts, so that a client gives up within the test. */
  private TransactionalKafkaSink<String> sink() {
    return TransactionalKafkaSink.<String>builder()
        .setBootstrapServers(KAFKA.cluster().bootstrapServers())
        .setTransactionalIdPrefix(name)
        .setTopic(topic)
        .setValueSerializer(new SimpleStringSchema())
        .setProperty("max.block.ms", "4000")
        .setProperty("request.timeout.ms", "3000")
        .setProperty("default.api.timeout.ms", "4000");
  }

  private Prepared prepareAndCrash() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      return writer.prepare(0, "a", "b");
    }
  }

  /** As the engine does: an exception means unknown, and the same handle is tried again (C7). */
  private static CommitOutcome commitUntilKnown(
      DrivenConnector<String, ?, ?> committer, Prepared prepared) {
    List<CommitOutcome> known = new ArrayList<>();
    await()
        .atMost(LONG)
        .pollInSameThread()
        .ignoreExceptions()
        .until(() -> known.add(committer.commit(prepared)));
    return known.get(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = RequestFault.class,
      names = {"NOT_SENT", "REPLY_LOST", "REPLY_SWALLOWED"})
  void C2_anEndTxnThatIsLostOrWhoseReplyIsLostIsOneCommit(RequestFault fault) throws Exception {
    Prepared prepared = prepareAndCrash();
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      Interception endTxn = KAFKA.proxy().intercept(WireRequest.ofType("EndTxn"), fault);

      assertThat(commitUntilKnown(committer, prepared))
          .isIn(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());

      endTxn.awaitFired(LONG);
    }
    assertCommittedOnce();
  }

  /** Of several that are under way, one is lost on its way: those behind it wait for it. */
  @ParameterizedTest
  @EnumSource(
      value = RequestFault.class,
      names = {"NOT_SENT", "REPLY_LOST"})
  void C3_aLostEndTxnAmongManyIsRepeatedBeforeWhatIsBehindIt(RequestFault fault) throws Exception {
    List<Prepared> left = new ArrayList<>();
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      for (int i = 0; i < 10; i++) {
        left.add(writer.prepare(i, Integer.toString(i)));
      }
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      Interception endTxn = KAFKA.proxy().intercept(WireRequest.ofType("EndTxn"), fault);
      List<CommitOutcome> known = new ArrayList<>();
      await()
          .atMost(LONG)
          .pollInSameThread()
          .ignoreExceptions()
          .until(
              () -> {
                known.addAll(committer.commitAll(left.subList(known.size(), left.size())));
                return known.size() == left.size();
              });
      assertThat(known).containsOnly(CommitOutcome.committed());
      endTxn.awaitFired(LONG);
    }
    assertVisible("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
  }

  @Test
  void C2_aLiveProducersCommitWhoseReplyIsLostForEverIsFoundByItsCoordinator() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      Prepared prepared = writer.prepare(0, "a", "b");
      Interception endTxn =
          KAFKA.proxy().intercept(WireRequest.ofType("EndTxn"), RequestFault.REPLY_SWALLOWED);

      // The producer itself may get to repeat it before it gives up.
      assertThat(committer.commitLive(prepared))
          .isIn(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());

      endTxn.awaitFired(LONG);
      KAFKA.proxy().heal();
      assertThat(committer.commitLive(writer.prepare(1, "c"))).isEqualTo(CommitOutcome.committed());
    }
    assertVisible("a", "b", "c");
  }

  @Test
  void C7_aBrokerKilledDuringEndTxnIsAskedAgainWhenItIsBack() throws Exception {
    Prepared prepared = prepareAndCrash();
    KafkaBroker broker = KAFKA.cluster().broker(1);
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      Interception endTxn =
          KAFKA.proxy().intercept(WireRequest.ofType("EndTxn"), RequestFault.REPLY_SWALLOWED);
      CompletableFuture<CommitOutcome> outcome =
          CompletableFuture.supplyAsync(() -> commitUntilKnown(committer, prepared));
      endTxn.awaitFired(LONG);
      broker.kill();
      KAFKA.proxy().heal();
      broker.start();

      assertThat(outcome.get(LONG.toSeconds(), TimeUnit.SECONDS))
          .isIn(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
    }
    assertCommittedOnce();
  }

  @Test
  void C8_aBrokerThatStandsStillForSixSecondsNeedsNobodysHelp() throws Exception {
    KafkaBroker broker = KAFKA.cluster().broker(1);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name);
        DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      Prepared prepared = writer.prepare(0, "a", "b");
      broker.freeze();
      CompletableFuture<Void> thaw =
          CompletableFuture.runAsync(
              broker::thaw, CompletableFuture.delayedExecutor(6, TimeUnit.SECONDS));

      List<CommitOutcome> known = new ArrayList<>();
      await()
          .atMost(LONG)
          .pollInSameThread()
          .ignoreExceptions()
          .until(() -> known.add(committer.commitLive(prepared)));

      thaw.get();
      assertThat(known).containsAnyOf(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
      committer.commitLive(writer.prepare(1, "c"));
    }
    assertVisible("a", "b", "c");
  }

  @Test
  void C7_whileAnOutcomeIsUnknownTheLogSaysOfWhatSinceWhenUntilWhenAndWhoWaits() throws Exception {
    Prepared prepared = prepareAndCrash();
    try (DrivenConnector<String, ?, ?> committer =
        Sinks.committer(impatient().buildConnector(), name)) {
      commitInAnOutage(committer, prepared, false);
    }
  }

  /** Whose commit would block for a minute, and say nothing. */
  @Test
  void C7_itSaysSoAsWellWhileTheProducerThatWroteIsThere() throws Exception {
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(impatient().setProperty("max.block.ms", "60000").buildConnector(), name)) {
      commitInAnOutage(writer, writer.prepare(0, "a", "b"), true);
    }
  }

  private TransactionalKafkaSink<String> impatient() {
    return sink()
        .setProperty("request.timeout.ms", "1000")
        .setProperty("default.api.timeout.ms", "1000");
  }

  private <H> void commitInAnOutage(
      DrivenConnector<String, ?, H> connector, Prepared prepared, boolean live) throws Exception {
    try (CapturedLog log = new CapturedLog("dev.twophase.internal.engine.RetryBudget")) {
      KAFKA.proxy().refuse(true);
      KAFKA.proxy().cutAll();
      CompletableFuture<Void> outage =
          CompletableFuture.runAsync(
              () -> {
                await().atMost(LONG).until(() -> log.text().contains("wait for it"));
                KAFKA.proxy().heal();
              });

      Sinks.commitByEngine(
          connector, live ? Sinks.live(connector, prepared) : Sinks.restored(connector, prepared));

      outage.get(LONG.toSeconds(), TimeUnit.SECONDS);
      assertThat(log.text())
          .containsPattern("Outcome unknown of transaction " + name + "[.]0[.]0[.]")
          .contains("of sink '" + name + "', subtask 0")
          .containsPattern("of checkpoint 7 [(]2 records, prepared 20[0-9T:.-]+Z[)]")
          .containsPattern("attempt 1 failed, next in [0-9]+ ms, giving up in [0-9]+ ms")
          .containsPattern("the resource gives up at 20[0-9T:.-]+Z")
          .contains("read_committed consumers of " + topic + " partitions [0] wait for it");
    }
    assertCommittedOnce();
  }

  @Test
  void C6_anIdThatHasExpiredIsKnownByItsWitness() throws Exception {
    Prepared prepared = prepareAndCrash();
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name);
        Admin admin =
            Admin.create(Map.of("bootstrap.servers", KAFKA.cluster().bootstrapServers()))) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      await()
          .atMost(LONG)
          .until(
              () ->
                  admin.listTransactions().all().get().stream()
                      .noneMatch(each -> each.transactionalId().startsWith(name + "/")));

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertCommittedOnce();
  }

  @Test
  void W6_aProducerThatHasSeenTheTransactionVersionChangeIsNotUsedAgain() throws Exception {
    TransactionalKafkaSink<String> sink = Sinks.withClients(sink(), MadeProducers.counted());
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink.buildConnector(), name)) {
      meetVersion1(writer);
      writer.commitLive(writer.prepare(2, "sees it"));
      assertThat(MadeProducers.count()).isEqualTo(1);

      writer.commitLive(writer.prepare(3, "after"));

      assertThat(MadeProducers.count()).isEqualTo(2);
    }
    assertVisible("before", "meanwhile", "sees it", "after");
  }

  @Test
  void C6_whatAProducerPreparesThatHasSeenTheVersionChangeIsCommittedByItsHandle()
      throws Exception {
    Prepared prepared;
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(sink().buildConnector(), name)) {
      meetVersion1(writer);
      prepared = writer.prepare(2, "sees it");
    }
    try (DrivenConnector<String, ?, ?> committer = Sinks.committer(sink().buildConnector(), name)) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertVisible("before", "meanwhile", "sees it");
  }

  /** A producer learns what the cluster can do while it connects, and heeds it from its next on. */
  private static void meetVersion1(DrivenConnector<String, ?, ?> writer) throws Exception {
    writer.commitLive(writer.prepare(0, "before"));
    KAFKA.cluster().setTransactionVersion(1);
    KAFKA.proxy().cutAll();
    writer.commitLive(writer.prepare(1, "meanwhile"));
  }

  private void assertCommittedOnce() {
    assertVisible("a", "b");
  }

  /** A commit is decided before it is written to the partitions, and a broker may die between. */
  private void assertVisible(String... records) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(SharedKafka.committed(KAFKA.cluster(), topic)).containsExactly(records));
  }
}
