package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.Unfinished;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.SmallBlocks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Others who lock, abort or commit at the same time. */
@Timeout(120)
class ContentionTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();
  private final TransactionalJdbcSink<Order> sink = OrdersOnPostgres.sink(server.port());

  @BeforeEach
  void createTarget() throws Exception {
    OrdersOnPostgres.create(server);
  }

  @Test
  void C2_twoCommittersAtOnceAreOneCommit() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> one = Sinks.committer(sink);
        DrivenConnector<Order, Object, ?> two = Sinks.committer(sink)) {
      for (int checkpoint = 0; checkpoint < 40; checkpoint++) {
        Prepared prepared = writer.prepare(checkpoint, Order.of(checkpoint));
        List<Callable<CommitOutcome>> both =
            List.of(() -> one.commit(prepared), () -> two.commit(prepared));
        List<Object> outcomes = new ArrayList<>();
        for (Future<CommitOutcome> each : threads.invokeAll(both)) {
          outcomes.add(outcome(each));
        }
        assertThat(outcomes).containsOnlyOnce(CommitOutcome.committed());
        assertThat(one.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
      }
    } finally {
      threads.shutdown();
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(40);
  }

  /** Both are under way at the same time, so that neither sees the other's commit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void R5_ofTwoAttemptsThatCommitAtTheSameTimeOnlyOneWrites(boolean oneHasCommittedBefore)
      throws Exception {
    Sql.execute(server, "ALTER TABLE orders DROP CONSTRAINT orders_pkey");
    TransactionalJdbcSink<Order> patient = sink.lockTimeout(Duration.ofSeconds(30));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (DrivenConnector<Order, Object, ?> original = Sinks.writer(patient, 0);
        DrivenConnector<Order, Object, ?> clone = Sinks.writer(patient, 0);
        DrivenConnector<Order, Object, ?> one = Sinks.committer(patient);
        DrivenConnector<Order, Object, ?> two = Sinks.committer(patient);
        Connection other = server.connect();
        Statement statement = other.createStatement()) {
      if (oneHasCommittedBefore) {
        one.commit(original.prepare(2, Order.of(2)));
      }
      Prepared ofOriginal = original.prepare(3, Order.of(3));
      Prepared ofClone = clone.prepare(3, Order.of(3));
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE orders");
      Future<CommitOutcome> first = threads.submit(() -> one.commit(ofOriginal));
      Future<CommitOutcome> second = threads.submit(() -> two.commit(ofClone));
      Awaitility.await()
          .atMost(Duration.ofSeconds(25))
          .until(() -> Sql.number(server, "SELECT count(*) FROM pg_locks WHERE NOT granted") == 2);
      other.rollback();

      assertThat(List.of(outcome(first), outcome(second)))
          .containsOnlyOnce(CommitOutcome.committed());
      List<CommitOutcome> again = List.of(one.commit(ofOriginal), two.commit(ofClone));
      assertThat(again).containsOnlyOnce(CommitOutcome.alreadyCommitted());
      assertThat(again).anyMatch(CommitOutcome.Superseded.class::isInstance);
    } finally {
      threads.shutdown();
    }
    assertThat(Sql.column(server, "SELECT id FROM orders WHERE id = 3")).containsExactly("3");
  }

  /** Unknown is a legal answer for the one that came second. */
  private static Object outcome(Future<CommitOutcome> commit) throws InterruptedException {
    try {
      return commit.get();
    } catch (ExecutionException unknown) {
      return unknown.getCause().getClass();
    }
  }

  @Test
  void C8_aLockedTargetIsWaitedForAndThenTriedAgain() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer =
            Sinks.committer(sink.lockTimeout(Duration.ofSeconds(1)));
        Connection other = server.connect();
        Statement statement = other.createStatement()) {
      Prepared prepared = writer.prepare(0, Order.of(1));
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE orders");

      assertThatThrownBy(() -> committer.commit(prepared)).hasMessageContaining("lock timeout");

      other.rollback();
      assertThat(OrdersOnPostgres.count(server)).isZero();
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(1);
  }

  /** The sink people use today then has written 5,751 rows for 5,000. */
  @Test
  void C5_aCheckpointThatFailsAndOneThatDoesNotAreWrittenOnce() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared ofFailed = writer.prepare(2, OrdersOnPostgres.orders(0, 751));
      assertThat(OrdersOnPostgres.count(server)).isZero();
      Prepared ofComplete = writer.prepare(3, OrdersOnPostgres.orders(751, 5_000));
      assertThat(OrdersOnPostgres.count(server)).isZero();

      committer.commit(ofFailed);
      committer.commit(ofComplete);
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(5_000);
  }

  /** Else each transaction would be larger than the one before, until the heap is full. */
  @Test
  void S3_aWriterFarAheadOfTheDatabaseWaitsForTheCommitBefore() throws Exception {
    String megabyte = "x".repeat(1 << 20);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared before = writer.prepare(0, Order.of(1));
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      CompletableFuture<Prepared> writing =
          CompletableFuture.supplyAsync(
              () -> {
                thread.complete(Thread.currentThread());
                try {
                  Object transaction = writer.begin(1);
                  for (int id = 100; id < 170; id++) {
                    writer.write(transaction, new Order(id, megabyte, 0));
                  }
                  return writer.preCommit(1, transaction).orElseThrow();
                } catch (Exception failed) {
                  throw new CompletionException(failed);
                }
              });
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> thread.get().getState() == Thread.State.TIMED_WAITING);
      assertThat(writing).isNotDone();

      assertThat(committer.commit(before)).isEqualTo(CommitOutcome.committed());

      assertThat(committer.commit(writing.get(60, TimeUnit.SECONDS)))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM orders WHERE length(item) = 1 << 20"))
        .isEqualTo(70);
  }

  @Test
  void W6_twoJobsShareATableAndALedger() throws Exception {
    SmallBlocks.of(1, sink);
    TransactionalJdbcSink<Order> other =
        SmallBlocks.of(1, OrdersOnPostgres.sink(server.port())).name("orders-eu");
    try (DrivenConnector<Order, Object, ?> one = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> two = Sinks.writer(other, "orders-eu", 0);
        DrivenConnector<Order, Object, ?> committerOfOne = Sinks.committer(sink);
        DrivenConnector<Order, Object, ?> committerOfTwo = Sinks.committer(other, "orders-eu")) {
      Prepared first = one.prepare(0, Order.of(1));
      Prepared second = two.prepare(0, Order.of(2));
      assertThat(one.connector().unfinished()).containsExactly(Unfinished.of(first.id()));
      assertThat(two.connector().unfinished()).containsExactly(Unfinished.of(second.id()));

      assertThat(committerOfOne.commit(first)).isEqualTo(CommitOutcome.committed());
      assertThat(committerOfTwo.commit(second)).isEqualTo(CommitOutcome.committed());
      assertThat(one.connector().committedSince(0)).contains(first.id());
      assertThat(two.connector().committedSince(0)).contains(second.id());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(2);
  }
}
