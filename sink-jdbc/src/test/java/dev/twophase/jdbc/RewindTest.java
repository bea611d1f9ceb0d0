package dev.twophase.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Going back, cloning, starting anew (R6): what the ledger proves. */
@Timeout(120)
class RewindTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();
  private final TransactionalJdbcSink<Order> sink = OrdersOnPostgres.sink(server.port());
  private Prepared last;

  /** A job that has committed up to checkpoint 5: its last transaction holds records since 4. */
  @BeforeEach
  void runFirstJob() throws Exception {
    OrdersOnPostgres.create(server);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      for (int checkpoint = 0; checkpoint < 5; checkpoint++) {
        last = writer.prepare(checkpoint, Order.of(checkpoint));
        committer.commit(last);
      }
    }
  }

  @Test
  void R6_anOlderSavepointIsNoticedBeforeAnythingIsWritten() throws Exception {
    try (DrivenConnector<Order, Object, ?> restored = Sinks.writer(sink, 0)) {
      assertThat(restored.connector().committedSince(3)).contains(last.id());
    }
  }

  @Test
  void R6_aStartWithoutStateIsNoticedBeforeAnythingIsWritten() throws Exception {
    try (DrivenConnector<Order, Object, ?> restarted = Sinks.writer(sink, 0)) {
      assertThat(restarted.connector().committedSince(0)).contains(last.id());
    }
  }

  @Test
  void R6_aCloneAfterTheJobGoesOn() throws Exception {
    try (DrivenConnector<Order, Object, ?> clone = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(clone.connector().committedSince(5)).isEmpty();
      assertThat(committer.commit(last)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(committer.commit(clone.prepare(5, Order.of(5))))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(6);
  }

  @Test
  void R6_ofTwoClonesBesideEachOtherTheSecondToCommitIsRefused() throws Exception {
    try (DrivenConnector<Order, Object, ?> one = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> two = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared ofOne = one.prepare(5, Order.of(5));
      Prepared ofTwo = two.prepare(5, Order.of(5));

      assertThat(committer.commit(ofOne)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(ofTwo)).isInstanceOf(CommitOutcome.Superseded.class);
      assertThat(committer.commit(one.prepare(6, Order.of(6))))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(7);
  }

  /** After a rewind that was accepted, numbers begin again below those of the ledger. */
  @Test
  void R6_anAcceptedRewindIsNotTakenForOneAgain() throws Exception {
    try (DrivenConnector<Order, Object, ?> accepted = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThat(committer.commit(accepted.prepare(0, Order.of(100))))
          .isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(accepted.prepare(1, Order.of(101))))
          .isEqualTo(CommitOutcome.committed());
    }
    try (DrivenConnector<Order, Object, ?> next = Sinks.writer(sink, 0)) {
      assertThat(next.connector().committedSince(2)).isEmpty();
    }
  }

  @Test
  void ledgerAndStagingDoNotGrowWithTheNumberOfCheckpoints() throws Exception {
    TransactionalJdbcSink<Order> staging = sink.bufferLimit(0).blockBytes(1);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(staging, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(staging)) {
      for (int checkpoint = 5; checkpoint < 10_005; checkpoint++) {
        committer.commit(writer.prepare(checkpoint, Order.of(checkpoint)));
      }
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(10_005);
    assertThat(Sql.column(server, "SELECT since FROM twophase_ledger ORDER BY since"))
        .containsExactly("4", "10004");
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger_staging")).isZero();
  }
}
