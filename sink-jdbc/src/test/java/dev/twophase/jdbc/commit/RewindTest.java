package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.jdbc.CommitMode;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Going back, cloning, starting anew (R6): what the ledger proves, in both modes. */
@Timeout(300)
@ParameterizedClass
@EnumSource(CommitMode.class)
class RewindTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();
  private final CommitMode mode;
  private final TransactionalJdbcSink<Order> sink;
  private Prepared last;

  RewindTest(CommitMode mode) {
    this.mode = mode;
    this.sink = OrdersOnPostgres.sink(server.port()).mode(mode);
  }

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
  void R6_ofTwoClonesBesideEachOtherOnlyOneCommits() throws Exception {
    try (DrivenConnector<Order, Object, ?> one = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> two = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared ofOne = one.prepare(5, Order.of(5));
      Prepared ofTwo = two.prepare(5, Order.of(5));
      if (mode == CommitMode.LEDGER) {
        assertThat(committer.commit(ofOne)).isEqualTo(CommitOutcome.committed());
        assertThat(committer.commit(ofTwo)).isInstanceOf(CommitOutcome.Superseded.class);
        committer.commit(one.prepare(6, Order.of(6)));
      } else {
        // The second takes the first for dead, and rolls back what it has prepared.
        assertThat(committer.commit(ofOne)).isInstanceOf(CommitOutcome.Lost.class);
        assertThat(committer.commit(ofTwo)).isEqualTo(CommitOutcome.committed());
        assertThatThrownBy(() -> one.prepare(6, Order.of(6)))
            .hasMessageContaining("cannot be prepared")
            .hasMessageContaining("If a second job runs under the sink name 'orders'");
        committer.commit(two.prepare(6, Order.of(6)));
      }
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
    int count = mode == CommitMode.LEDGER ? 10_000 : 1_000;
    TransactionalJdbcSink<Order> staging = SmallBlocks.of(1, sink);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(staging, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(staging)) {
      for (int checkpoint = 5; checkpoint < count + 5; checkpoint++) {
        committer.commit(writer.prepare(checkpoint, Order.of(checkpoint)));
      }
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(count + 5);
    assertThat(
            Sql.column(
                server, "SELECT since FROM twophase_ledger WHERE subtask = 0 ORDER BY since"))
        .containsExactly("4", String.valueOf(count + 4));
    assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger_staging")).isZero();
    assertThat(Sql.number(server, "SELECT count(*) FROM pg_prepared_xacts")).isZero();
  }
}
