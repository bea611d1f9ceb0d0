package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.error.CommitRefusedException;
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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that is taken back to an earlier moment, ledger and target alike. */
@Timeout(120)
class OldBackupTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();

  @BeforeEach
  void createTables() throws Exception {
    OrdersOnPostgres.create(server);
    Sql.execute(server, "DROP TABLE IF EXISTS old_ledger, old_orders");
  }

  private TransactionalJdbcSink<Order> sink() {
    return OrdersOnPostgres.sink(server.port());
  }

  private void backUp() throws Exception {
    Sql.execute(
        server,
        "CREATE TABLE old_ledger AS TABLE twophase_ledger",
        "CREATE TABLE old_orders AS TABLE orders");
  }

  private void restoreBackup() throws Exception {
    Sql.execute(
        server,
        "TRUNCATE twophase_ledger, orders",
        "INSERT INTO twophase_ledger TABLE old_ledger",
        "INSERT INTO orders TABLE old_orders");
  }

  @ParameterizedTest
  @EnumSource(CommitMode.class)
  void C6_commitsThatAreMissingAreNoticed(CommitMode mode) throws Exception {
    TransactionalJdbcSink<Order> sink = sink().mode(mode);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      committer.commit(writer.prepare(0, Order.of(0)));
      backUp();
      committer.commit(writer.prepare(1, Order.of(1)));
      // In mode XA the ledger's row is locked from here on, as it is in a restored database.
      restoreBackup();

      assertThatThrownBy(
              () -> {
                Prepared next = writer.prepare(2, Order.of(2));
                committer.commit(next);
              })
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("older than this state")
          .hasMessageContaining("backup");
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(1);
  }

  @Test
  void aBackupThatLacksNothingIsGoneOnFrom() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      committer.commit(writer.prepare(0, Order.of(0)));
      Prepared last = writer.prepare(1, Order.of(1));
      backUp();
      committer.commit(last);
      restoreBackup();

      assertThat(committer.commit(last)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(2);
  }

  @Test
  void C6_commitsOfAttemptsBeforeThatAreMissingAreNoticed() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      committer.commit(writer.prepare(0, Order.of(0)));
      backUp();
      committer.commit(writer.prepare(1, Order.of(1)));
    }
    try (DrivenConnector<Order, Object, ?> next = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared first = next.prepare(2, Order.of(2));
      restoreBackup();

      assertThatThrownBy(() -> committer.commit(first))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("older than this state");
    }
  }

  /** What is said of an attempt that is superseded, done. */
  @Test
  void R6_aCloneThatIsDisownedLeavesNoGap() throws Exception {
    try (DrivenConnector<Order, Object, ?> job = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> clone = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      committer.commit(job.prepare(0, Order.of(0)));
      Prepared last = job.prepare(1, Order.of(1));
      committer.commit(clone.prepare(1, Order.of(100)));
      CommitOutcome superseded = committer.commit(last);
      assertThat(superseded).isInstanceOf(CommitOutcome.Superseded.class);

      String update =
          superseded.toString().replaceAll("(?s).*(UPDATE .*? AND nonce='\\w+').*", "$1");
      Sql.execute(server, update);
      assertThat(committer.commit(last)).isEqualTo(CommitOutcome.committed());
    }
    try (DrivenConnector<Order, Object, ?> restored = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      assertThat(restored.connector().committedSince(1)).isPresent();
      assertThat(committer.commit(restored.prepare(2, Order.of(2))))
          .isEqualTo(CommitOutcome.committed());
    }
  }

  /** Also by a committer that has not seen the loss, as after a crash before the next commit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void C9_whatIsBehindALossIsNotTakenForAnOldBackup(boolean crashes) throws Exception {
    TransactionalJdbcSink<Order> staging = SmallBlocks.of(1, sink());
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(staging, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(staging);
        DrivenConnector<Order, Object, ?> successor = Sinks.committer(staging)) {
      Prepared zeroth = writer.prepare(0, Order.of(0));
      Prepared first = writer.prepare(1, Order.of(1));
      Prepared second = writer.prepare(2, Order.of(2));
      Prepared third = writer.prepare(3, Order.of(3));
      Prepared fourth = writer.prepare(4, Order.of(4));
      committer.commit(zeroth);
      for (Prepared lost : List.of(first, second)) {
        Sql.execute(
            server,
            "DELETE FROM twophase_ledger_staging WHERE transaction_id = '" + lost.id() + "'");
        assertThat(committer.commit(lost)).isInstanceOf(CommitOutcome.Lost.class);
        assertThat(successor.commit(lost))
            .as("a note of a loss is no commit")
            .isInstanceOf(CommitOutcome.Lost.class);
      }

      DrivenConnector<Order, Object, ?> next = crashes ? successor : committer;
      assertThat(next.commitAll(List.of(third))).containsExactly(CommitOutcome.committed());
      assertThat(next.commit(fourth)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(3);
    try (DrivenConnector<Order, Object, ?> restarted = Sinks.writer(sink(), 0)) {
      assertThat(restarted.connector().committedSince(4)).as("a rewind is noticed").isPresent();
    }
  }

  @Test
  void C9_whatIsPreparedBehindALossIsNotTakenForAnOldBackup() throws Exception {
    TransactionalJdbcSink<Order> xa = sink().mode(CommitMode.XA);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(xa, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(xa)) {
      committer.commit(writer.prepare(0, Order.of(0)));
      Prepared lost = writer.prepare(1, Order.of(1));
      Sql.execute(server, "ROLLBACK PREPARED '" + lost.id() + "'");
      assertThat(committer.commit(lost)).isInstanceOf(CommitOutcome.Lost.class);

      assertThat(committer.commit(writer.prepare(2, Order.of(2))))
          .isEqualTo(CommitOutcome.committed());
    }
    assertThat(OrdersOnPostgres.count(server)).isEqualTo(2);
  }

  /** Its rows are in the target: that the ledger's are gone proves no loss. */
  @Test
  void C6_aLedgerWithoutTheSubtasksRowsProvesNoLossByXa() throws Exception {
    TransactionalJdbcSink<Order> xa = sink().mode(CommitMode.XA);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(xa, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(xa)) {
      committer.commit(writer.prepare(0, Order.of(0)));
      Prepared committed = writer.prepare(1, Order.of(1));
      committer.commit(committed);
      Sql.execute(server, "DELETE FROM twophase_ledger WHERE subtask = 0");

      assertThatThrownBy(() -> committer.commit(committed))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("does not have");
    }
  }

  /** A rewind is proven by the newest commit, whatever was lost behind it. */
  @Test
  void R6_aNoteOfALossHidesNoRewind() throws Exception {
    TransactionalJdbcSink<Order> staging = SmallBlocks.of(1, sink());
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(staging, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(staging)) {
      committer.commit(writer.prepare(5, Order.of(0)));
      Prepared lost = writer.prepare(6, Order.of(1));
      Sql.execute(server, "DELETE FROM twophase_ledger_staging");
      committer.commit(lost);
    }
    try (DrivenConnector<Order, Object, ?> restarted = Sinks.writer(sink(), 0)) {
      assertThat(restarted.connector().committedSince(5)).isPresent();
      assertThat(restarted.connector().committedSince(6)).isEmpty();
    }
  }
}
