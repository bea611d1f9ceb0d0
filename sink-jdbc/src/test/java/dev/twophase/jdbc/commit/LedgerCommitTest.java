package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.Unfinished;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.Credentials;
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
import org.junit.jupiter.params.provider.ValueSource;

/** What a commit decides, and what the ledger remembers. */
@Timeout(120)
class LedgerCommitTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().build());

  private final PostgresServer server = DATABASE.server();

  @BeforeEach
  void createTarget() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS orders, rejected, twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE PRECISION)");
  }

  private TransactionalJdbcSink<Order> sink() {
    return configured().insertInto("orders");
  }

  /** Through the temporary table. */
  private TransactionalJdbcSink<Order> upserts() {
    return configured().upsertInto("orders").bulkPath(BulkPath.COPY);
  }

  private TransactionalJdbcSink<Order> configured() {
    String user = server.user();
    return TransactionalJdbcSink.<Order>builder()
        .name("orders")
        .url(server.url())
        .credentials(() -> new Credentials(user, "none"))
        .key("id", Order::id)
        .column("item", Order::item)
        .column("amount", Order::amount)
        .createTables();
  }

  private List<String> visible() throws Exception {
    return Sql.column(server, "SELECT id || ':' || item || ':' || amount FROM orders ORDER BY id");
  }

  @Test
  void W2_anotherProcessCommitsHoldingNothingButTheHandle() throws Exception {
    Prepared prepared;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0)) {
      prepared = writer.prepare(0, Order.of(1), Order.of(2));
    }
    assertThat(visible()).isEmpty();

    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }

    assertThat(visible()).containsExactly("1:item 1:0.25", "2:item 2:0.5");
  }

  @Test
  void C2_committingTwiceIsOneCommit() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink());
        DrivenConnector<Order, Object, ?> another = Sinks.committer(sink())) {
      Prepared first = writer.prepare(0, Order.of(1));
      Prepared second = writer.prepare(1, Order.of(2));

      assertThat(committer.commit(first)).isEqualTo(CommitOutcome.committed());
      assertThat(another.commit(first)).isEqualTo(CommitOutcome.alreadyCommitted());
      assertThat(another.commit(second)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(first)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(visible()).hasSize(2);
  }

  @Test
  void W5_anEmptyTransactionYieldsNoHandle() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0)) {
      assertThat(writer.preCommit(0, writer.begin(0))).isEmpty();
    }
  }

  @Test
  void W2_whatIsTooLargeForTheHandleIsStagedAndGoneAfterTheCommit() throws Exception {
    TransactionalJdbcSink<Order> sink = sink().bufferLimit(0);
    int count = 60_000;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Object transaction = writer.begin(0);
      for (int i = 0; i < count; i++) {
        writer.write(transaction, Order.of(i));
      }
      Prepared prepared = writer.preCommit(0, transaction).orElseThrow();
      assertThat(staged()).isPositive();
      assertThat(prepared.bytes()).as("no rows").hasSizeLessThan(1_000);
      assertThat(committer.connector().unfinished()).containsExactly(Unfinished.of(prepared.id()));

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());

      assertThat(committer.connector().unfinished()).isEmpty();
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM orders")).isEqualTo(count);
    assertThat(Sql.number(server, "SELECT sum(id) FROM orders"))
        .isEqualTo((long) count * (count - 1) / 2);
    assertThat(staged()).isZero();
  }

  @Test
  void C6_stagedRowsThatAreGoneAreAProvenLoss() throws Exception {
    TransactionalJdbcSink<Order> sink = sink().bufferLimit(0);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Object transaction = writer.begin(0);
      for (int i = 0; i < 60_000; i++) {
        writer.write(transaction, Order.of(i));
      }
      Prepared prepared = writer.preCommit(0, transaction).orElseThrow();
      Sql.execute(server, "DELETE FROM twophase_ledger_staging WHERE block = 1");

      assertThat(committer.commit(prepared)).isInstanceOf(CommitOutcome.Lost.class);
      try (DrivenConnector<Order, Object, ?> other = Sinks.writer(sink, 1)) {
        assertThat(committer.commitAll(List.of(other.prepare(0, Order.of(-1)), prepared)))
            .satisfiesExactly(
                first -> assertThat(first).isEqualTo(CommitOutcome.committed()),
                second -> assertThat(second).isInstanceOf(CommitOutcome.Lost.class));
      }
    }
    assertThat(visible()).containsExactly("-1:item -1:-0.25");
  }

  @Test
  void C6_withoutALedgerStagedRowsThatAreGoneWereCommitted() throws Exception {
    TransactionalJdbcSink<Order> sink = sink().bufferLimit(0);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0)) {
      // Makes the tables.
      writer.prepare(0, Order.of(-1));
    }
    try (DrivenConnector<Order, Object, ?> both = Sinks.atLeastOnce(sink)) {
      Object transaction = both.begin(0);
      for (int i = 0; i < 60_000; i++) {
        both.write(transaction, Order.of(i));
      }
      Prepared prepared = both.preCommit(0, transaction).orElseThrow();

      assertThat(both.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(both.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM orders")).isEqualTo(60_000);
  }

  @Test
  void A1_abortRemovesWhatIsStagedOfThatTransactionOnly() throws Exception {
    TransactionalJdbcSink<Order> sink = sink().bufferLimit(0);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> other = Sinks.writer(sink, 1)) {
      Object mine = writer.begin(0);
      Object theirs = other.begin(0);
      for (int i = 0; i < 60_000; i++) {
        writer.write(mine, Order.of(i));
        other.write(theirs, Order.of(i));
      }

      writer.connector().abort(mine);
      writer.connector().abort(mine);

      assertThat(writer.connector().unfinished()).containsExactly(Unfinished.of(other.id(0)));
    }
  }

  @Test
  void tablesMayBeInSchemasAndUnderNamesOfTheUsersOwn() throws Exception {
    Sql.execute(
        server,
        "DROP SCHEMA IF EXISTS shop CASCADE",
        "DROP SCHEMA IF EXISTS \"Of sinks\" CASCADE",
        "CREATE SCHEMA shop",
        "CREATE SCHEMA \"Of sinks\"",
        "CREATE TABLE shop.orders (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE PRECISION)");
    TransactionalJdbcSink<Order> sink =
        SmallBlocks.of(1, configured())
            .insertInto("shop", "orders")
            .ledgerSchema("Of sinks")
            .ledgerTable("ledger")
            .stagingTable("staged")
            .batchSize(3)
            .bulkPath(BulkPath.BATCH);
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared prepared = writer.prepare(0, OrdersOnPostgres.orders(1, 9));
      assertThat(Sql.number(server, "SELECT count(*) FROM \"Of sinks\".staged")).isPositive();

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM shop.orders")).isEqualTo(8);
    assertThat(Sql.number(server, "SELECT sum(row_count) FROM \"Of sinks\".ledger")).isEqualTo(8);
    assertThat(Sql.number(server, "SELECT count(*) FROM \"Of sinks\".staged")).isZero();
    assertThat(visible()).isEmpty();
  }

  @Test
  void C3_transactionsOfSeveralSubtasksCommitTogether() throws Exception {
    try (DrivenConnector<Order, Object, ?> zero = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> one = Sinks.writer(sink(), 1);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared first = zero.prepare(0, Order.of(1));
      Prepared second = one.prepare(0, Order.of(2));
      committer.commit(first);

      assertThat(committer.commitAll(List.of(first, second)))
          .containsExactly(CommitOutcome.alreadyCommitted(), CommitOutcome.committed());
    }
    assertThat(visible()).hasSize(2);
  }

  @Test
  void C3_severalEpochsCommitInOneTransaction() throws Exception {
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared first = writer.prepare(0, Order.of(1));
      Prepared second = writer.prepare(1, Order.of(2));
      Prepared third = writer.prepare(2, Order.of(3));
      committer.commit(first);

      assertThat(committer.commitAll(List.of(first, second, third)))
          .containsExactly(
              CommitOutcome.alreadyCommitted(),
              CommitOutcome.committed(),
              CommitOutcome.committed());
      assertThat(committer.commitAll(List.of(second, third)))
          .containsExactly(CommitOutcome.alreadyCommitted(), CommitOutcome.alreadyCommitted());
    }
    assertThat(visible()).hasSize(3);
    String transaction =
        Sql.column(server, "SELECT xmin FROM twophase_ledger WHERE subtask = 0").get(0);
    assertThat(Sql.column(server, "SELECT xmin FROM orders WHERE id > 1"))
        .containsExactly(transaction, transaction);
  }

  @Test
  void C3_ofSeveralEpochsTheLastUpsertOfAKeyStays() throws Exception {
    TransactionalJdbcSink<Order> sink = upserts();
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared first = writer.prepare(0, new Order(1, "a", 1), new Order(2, "b", 2));
      Prepared second = writer.prepare(1, new Order(1, "c", 3));
      Prepared third = writer.prepare(2, new Order(1, "d", 4), new Order(3, "e", 5));

      committer.commitAll(List.of(first, second, third));
    }
    assertThat(visible()).containsExactly("1:d:4", "2:b:2", "3:e:5");
  }

  @Test
  void C3_nothingIsCommittedBehindAnEpochThatIsRefused() throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (2, 'there', 0)");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared first = writer.prepare(0, Order.of(1));
      Prepared second = writer.prepare(1, Order.of(2));
      Prepared third = writer.prepare(2, Order.of(3));

      assertThatThrownBy(() -> committer.commitAll(List.of(first, second, third)))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("id=2");
    }
    assertThat(visible()).containsExactly("1:item 1:0.25", "2:there:0");
  }

  @Test
  void C3_nothingIsCommittedBehindAnEpochThatIsLost() throws Exception {
    TransactionalJdbcSink<Order> staging = SmallBlocks.of(1, sink());
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(staging, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(staging)) {
      Prepared first = writer.prepare(0, Order.of(1));
      Prepared second = writer.prepare(1, Order.of(2));
      Prepared third = writer.prepare(2, Order.of(3));
      Sql.execute(
          server,
          "DELETE FROM twophase_ledger_staging WHERE transaction_id = '" + second.id() + "'");

      assertThat(committer.commitAll(List.of(first, second, third)))
          .satisfiesExactly(
              outcome -> assertThat(outcome).isEqualTo(CommitOutcome.committed()),
              outcome -> assertThat(outcome).isInstanceOf(CommitOutcome.Lost.class));
    }
    assertThat(visible()).containsExactly("1:item 1:0.25");
  }

  @Test
  void aRowThatTheTargetRefusesIsNamedAndNothingIsHalfApplied() throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (2, 'there', 0)");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared prepared = writer.prepare(0, Order.of(1), Order.of(2), Order.of(3));

      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("row 2 of 3")
          .hasMessageContaining("id=2");
      assertThat(visible()).containsExactly("2:there:0");

      Sql.execute(server, "DELETE FROM orders");
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(visible()).hasSize(3);
  }

  @Test
  void aRowThatTheTargetRefusesGoesToTheTableOfDeadLetters() throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (2, 'there', 0)");
    TransactionalJdbcSink<Order> sink = sink().deadLetterTable("rejected");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared prepared = writer.prepare(0, Order.of(1), Order.of(2), Order.of(3));

      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
      assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());
    }
    assertThat(visible()).containsExactly("1:item 1:0.25", "2:there:0", "3:item 3:0.75");
    assertThat(Sql.column(server, "SELECT position || ' ' || content FROM rejected"))
        .containsExactly("2 {\"id\":2,\"item\":\"item 2\",\"amount\":\"0.5\"}");
  }

  /** Whoever takes the table away, or the right to it, must not empty the stream into letters. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE orders",
        "ALTER TABLE orders RENAME TO gone",
        "ALTER TABLE orders RENAME COLUMN item TO gone"
      })
  void whatNoRowCanHelpFailsTheCommitAndMakesNoDeadLetter(String change) throws Exception {
    Sql.execute(server, "DROP TABLE IF EXISTS gone");
    TransactionalJdbcSink<Order> sink = sink().deadLetterTable("rejected");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      Prepared prepared = writer.prepare(0, Order.of(1), Order.of(2));
      Sql.execute(server, change);

      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("Sink 'orders' cannot write to ")
          .hasMessageContaining("nothing is lost")
          .hasMessageNotContaining("refuses row");
    }
    assertThat(Sql.number(server, "SELECT count(*) FROM rejected")).isZero();
  }

  @Test
  void aDeadLetterHoldsTheWholeRow() throws Exception {
    Sql.execute(server, "INSERT INTO orders VALUES (2, 'there', 0)");
    String item = "\"x\" \n".repeat(5_000);
    TransactionalJdbcSink<Order> sink = sink().deadLetterTable("rejected");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      committer.commit(writer.prepare(0, new Order(2, item, 0.5)));
    }
    assertThat(Sql.column(server, "SELECT content::json->>'item' FROM rejected"))
        .containsExactly(item);
  }

  @Test
  void whatATriggerObjectsToIsRefusedByRow() throws Exception {
    Sql.execute(
        server,
        "CREATE OR REPLACE FUNCTION object() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN IF NEW.id = 2 THEN RAISE EXCEPTION 'not two'; END IF; RETURN NEW; END $$",
        "CREATE TRIGGER objects BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION object()");
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared prepared = writer.prepare(0, Order.of(1), Order.of(2), Order.of(3));

      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("refuses row 2 of 3")
          .hasMessageContaining("id=2");
    }
    assertThat(visible()).isEmpty();
  }

  /** Whether it is committed is nowhere to be read. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'another table is named'",
        "DROP TABLE twophase_ledger",
        "DELETE FROM twophase_ledger",
        "DELETE FROM twophase_ledger WHERE sink = 'orders'"
      })
  void C6_aHandleOfALedgerThatIsGoneIsRefusedNotAppliedAgain(String loss) throws Exception {
    Prepared committed;
    try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      committed = writer.prepare(0, Order.of(1));
      committer.commit(committed);
    }
    Sql.execute(server, "DROP TABLE IF EXISTS another", loss);
    TransactionalJdbcSink<Order> sink =
        loss.startsWith("SELECT") ? sink().ledgerTable("another") : sink();
    try (DrivenConnector<Order, Object, ?> restored = Sinks.writer(sink, 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink)) {
      assertThatThrownBy(() -> committer.commit(committed))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("prepared with another ledger")
          .hasMessageContaining("which has no rows of this sink");
      Prepared next = restored.prepare(1, Order.of(2));

      assertThatThrownBy(() -> committer.commit(committed))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("prepared with another ledger");
      assertThat(committer.commit(next)).isEqualTo(CommitOutcome.committed());
    }
    assertThat(visible()).containsExactly("1:item 1:0.25", "2:item 2:0.5");
  }

  /** Checkpoints are numbered anew after each start without state. */
  @Test
  void C6_attemptsBeyondTheLedgersMemoryAreRefusedNotGuessed() throws Exception {
    try (DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink());
        DrivenConnector<Order, Object, ?> first = Sinks.writer(sink(), 0)) {
      Prepared committed = first.prepare(7, Order.of(0));
      committer.commit(committed);
      for (int attempt = 1; attempt <= 100; attempt++) {
        try (DrivenConnector<Order, Object, ?> writer = Sinks.writer(sink(), 0)) {
          committer.commit(writer.prepare(0, Order.of(attempt)));
        }
      }

      assertThat(Sql.number(server, "SELECT count(*) FROM twophase_ledger WHERE subtask = 0"))
          .isEqualTo(100);
      assertThatThrownBy(() -> committer.commit(committed))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("restore from a later one");
    }
    assertThat(visible()).hasSize(101);
  }

  @Test
  void R5_whatASuccessorWroteAnewIsNotCommittedByTheAttemptBefore() throws Exception {
    try (DrivenConnector<Order, Object, ?> zombie = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> successor = Sinks.writer(sink(), 0);
        DrivenConnector<Order, Object, ?> committer = Sinks.committer(sink())) {
      Prepared abandoned = zombie.prepare(3, Order.of(1));
      committer.commit(successor.prepare(3, Order.of(1)));

      assertThat(committer.commit(abandoned))
          .isInstanceOf(CommitOutcome.Superseded.class)
          .asString()
          .contains("UPDATE \"twophase_ledger\" SET since=-1 WHERE sink='orders' AND nonce='");
      assertThat(visible()).hasSize(1);
    }
  }

  private long staged() throws Exception {
    return Sql.number(server, "SELECT count(*) FROM twophase_ledger_staging");
  }
}
