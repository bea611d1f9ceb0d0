package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import dev.twophase.testkit.proxy.Interception;
import dev.twophase.testkit.proxy.RequestFault;
import dev.twophase.testkit.proxy.TcpProxy;
import dev.twophase.testkit.proxy.wire.PostgresFramer;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server dies, or its answer is lost, around a COMMIT; what the ledger says then is true. */
@Timeout(120)
class PostgresCrashTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 3_000;

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().build());

  private final PostgresServer server = DATABASE.server();
  private final TcpProxy proxy = TcpProxy.open(new PostgresFramer());

  @BeforeEach
  void createTarget() throws Exception {
    OrdersOnPostgres.create(server);
    proxy.forwardTo(server.port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  private static boolean isCommit(WireRequest request) {
    return request.type().equals("Parse") && request.contains("COMMIT\0");
  }

  private Prepared prepared() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer =
        Sinks.writer(OrdersOnPostgres.sink(server.port()), 0)) {
      return writer.prepare(0, OrdersOnPostgres.orders(0, ROWS));
    }
  }

  private DrivenConnector<Order, Object, ?> throughProxy() throws Exception {
    return Sinks.committer(OrdersOnPostgres.sink(proxy.port()));
  }

  private void assertCommitsTo(CommitOutcome outcome, Prepared prepared) throws Exception {
    try (DrivenConnector<Order, Object, ?> committer =
        Sinks.committer(OrdersOnPostgres.sink(server.port()))) {
      assertThat(committer.commit(prepared)).isEqualTo(outcome);
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(ROWS);
  }

  private static CompletableFuture<CommitOutcome> commitAsync(
      DrivenConnector<Order, Object, ?> committer, Prepared prepared) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return committer.commit(prepared);
          } catch (Exception error) {
            throw new java.util.concurrent.CompletionException(error);
          }
        });
  }

  private static void assertUnknown(CompletableFuture<CommitOutcome> commit) {
    assertThatThrownBy(commit::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SQLException.class);
  }

  @Test
  void C7_aServerKilledBeforeTheCommitArrivesHasAppliedNothing() throws Exception {
    Prepared prepared = prepared();
    Interception held = proxy.intercept(PostgresCrashTest::isCommit, RequestFault.HELD);
    try (DrivenConnector<Order, Object, ?> committer = throughProxy()) {
      CompletableFuture<CommitOutcome> commit = commitAsync(committer, prepared);
      held.awaitFired(PATIENCE);
      server.kill();
      held.release();
      assertUnknown(commit);
    }

    server.start();

    assertCommitsTo(CommitOutcome.committed(), prepared);
  }

  @Test
  void C6_aServerKilledAfterTheCommitHasAppliedAll() throws Exception {
    Prepared prepared = prepared();
    Interception swallowed =
        proxy.intercept(PostgresCrashTest::isCommit, RequestFault.REPLY_SWALLOWED);
    try (DrivenConnector<Order, Object, ?> committer = throughProxy()) {
      CompletableFuture<CommitOutcome> commit = commitAsync(committer, prepared);
      swallowed.awaitFired(PATIENCE);
      assertThat(swallowed.answer()).contains(WireReply.Outcome.SUCCESS);
      server.kill();
      assertUnknown(commit);
    }

    server.start();

    assertCommitsTo(CommitOutcome.alreadyCommitted(), prepared);
  }

  @Test
  void C2_aServerKilledDuringTheCommitHasAppliedAllOrNothing() throws Exception {
    for (int round = 0; round < 5; round++) {
      OrdersOnPostgres.create(server);
      Prepared prepared = prepared();
      Interception held = proxy.intercept(PostgresCrashTest::isCommit, RequestFault.HELD);
      try (DrivenConnector<Order, Object, ?> committer = throughProxy()) {
        CompletableFuture<CommitOutcome> commit = commitAsync(committer, prepared);
        held.awaitFired(PATIENCE);
        held.release();
        server.kill();
        commit.handle((outcome, error) -> outcome).join();
      }

      server.start();

      long applied = OrdersOnPostgres.count(server);
      assertThat(applied).isIn(0L, (long) ROWS);
      assertCommitsTo(
          applied == 0 ? CommitOutcome.committed() : CommitOutcome.alreadyCommitted(), prepared);
    }
  }

  @Test
  void C6_aLostReplyIsLookedUpOnANewConnection() throws Exception {
    Prepared prepared = prepared();
    Interception lost = proxy.intercept(PostgresCrashTest::isCommit, RequestFault.REPLY_LOST);
    try (DrivenConnector<Order, Object, ?> committer = throughProxy()) {
      assertThatThrownBy(() -> committer.commit(prepared)).isInstanceOf(SQLException.class);
      assertThat(lost.answer()).contains(WireReply.Outcome.SUCCESS);

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(ROWS);
  }

  /** A host that is gone closes no connection. */
  @Test
  void C7_aServerThatNeverAnswersIsGivenUpAndAskedAgain() throws Exception {
    Prepared prepared = prepared();
    Interception silent =
        proxy.intercept(PostgresCrashTest::isCommit, RequestFault.REPLY_SWALLOWED);
    TransactionalJdbcSink<Order> impatient =
        OrdersOnPostgres.sink(proxy.port())
            .lockTimeout(Duration.ofSeconds(1))
            .replyTimeout(Duration.ofSeconds(2));
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(impatient)) {
      while (silent.evidence().isEmpty()) {
        // On a slow machine an earlier statement may take too long for this sink, too.
        assertThatThrownBy(() -> committer.commit(prepared)).isInstanceOf(SQLException.class);
      }
      Awaitility.await().atMost(PATIENCE).until(() -> silent.answer().isPresent());
      assertThat(silent.answer()).contains(WireReply.Outcome.SUCCESS);

      assertThat(commitPatiently(committer, prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(ROWS);
  }

  /** A frozen process keeps its connections, and nothing is read of them until they are full. */
  @Test
  void C7_aServerThatTakesNoMoreRowsIsGivenUp() throws Exception {
    TransactionalJdbcSink<Order> patient =
        OrdersOnPostgres.sink(server.port()).bufferLimit(1 << 26);
    String megabyte = "x".repeat(1 << 20);
    Prepared prepared;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(patient, 0)) {
      Object transaction = writer.begin(0);
      for (int id = 0; id < 24; id++) {
        writer.write(transaction, new Order(id, megabyte, 0));
      }
      prepared = writer.preCommit(0, transaction).orElseThrow();
    }
    TransactionalJdbcSink<Order> impatient =
        OrdersOnPostgres.sink(proxy.port())
            .lockTimeout(Duration.ofSeconds(1))
            .replyTimeout(Duration.ofSeconds(2));
    Interception frozen = proxy.intercept(WireRequest.ofType("CopyData"), RequestFault.HELD);
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(impatient)) {
      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("took no more rows for the replyTimeout of PT2S");
      assertThat(OrdersOnPostgres.count(server)).isZero();
      frozen.release();
    }
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(patient)) {
      assertThat(commitPatiently(committer, prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(24);
  }

  /** With rows before it that have arrived, and others that never will. */
  @ParameterizedTest
  @EnumSource(names = {"COPY", "BATCH"})
  void C7_aConnectionCutWithinTheRowsHasAppliedNothing(BulkPath path) throws Exception {
    Prepared prepared = prepared();
    Interception cut =
        proxy.intercept(request -> request.contains("item " + (ROWS - 1)), RequestFault.NOT_SENT);
    try (DrivenConnector<Order, Object, ?> committer =
        Sinks.committer(OrdersOnPostgres.sink(proxy.port()).bulkPath(path).batchSize(ROWS / 3))) {
      assertThatThrownBy(() -> committer.commit(prepared)).isInstanceOf(SQLException.class);
      cut.awaitFired(PATIENCE);
      assertThat(OrdersOnPostgres.count(server)).isZero();

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(ROWS);
  }

  /** The frozen one's transaction holds the key; the server ends it after the idle time-out. */
  @Test
  void R5_aFrozenCommitterDoesNotWedgeItsSuccessor() throws Exception {
    Prepared prepared = prepared();
    Interception held = proxy.intercept(PostgresCrashTest::isCommit, RequestFault.HELD);
    Duration twoSeconds = Duration.ofSeconds(2);
    try (DrivenConnector<Order, Object, ?> frozen =
            Sinks.committer(OrdersOnPostgres.sink(proxy.port()).lockTimeout(twoSeconds));
        DrivenConnector<Order, Object, ?> successor =
            Sinks.committer(OrdersOnPostgres.sink(server.port()).lockTimeout(twoSeconds))) {
      CompletableFuture<CommitOutcome> commit = commitAsync(frozen, prepared);
      held.awaitFired(PATIENCE);

      assertThat(commitPatiently(successor, prepared)).isEqualTo(CommitOutcome.committed());

      held.release();
      assertUnknown(commit);
      assertThat(commitPatiently(frozen, prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(ROWS);
  }

  /** As the engine does: again under the same handle until the outcome is known (C8). */
  private static CommitOutcome commitPatiently(
      DrivenConnector<Order, Object, ?> committer, Prepared prepared) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return committer.commit(prepared);
      } catch (SQLException unknown) {
        if (System.nanoTime() > deadline) {
          throw unknown;
        }
      }
    }
  }
}
