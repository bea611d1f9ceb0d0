package dev.twophase.jdbc.contract.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.jdbc.Sql;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What schedules strike at may pass between a driver and its server, neither of them decorated. */
class WireRefutationTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private static final Bound SMALL =
      Bound.oneFault().withParallelism(1).withCheckpoints(1).withBudget(Duration.ofMinutes(5));

  @Test
  void C7_aCommitRedoneAfterItsReplyWasLostIsFoundAndTheLineRepeats() {
    Exploration explored =
        SinkKit.of(new Blind(false))
            .exploreUntil(SMALL, finding -> finding.verdict() == Verdict.DUPLICATE);

    assertThat(explored.findings()).as(explored.describe()).hasSize(1);
    Judgement found = explored.findings().get(0);
    String line = found.schedule().toString();
    assertThat(line)
        .isEqualTo("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !Postgres.COMMIT#1=A");
    assertThat(found.rules()).contains("C7");
    assertThat(explored.firings()).containsKey("Postgres.INSERT in ntf");

    assertThat(SinkKit.of(new Blind(true)).replay(line).verdict()).isEqualTo(Verdict.PASS);
  }

  /**
   * @param looks whether it looks, before it redoes a commit, if that was done
   */
  private record Blind(boolean looks) implements SinkUnderTest<TestRecord> {
    @Override
    public Object sink(SinkSetup setup) throws SQLException {
      Sql.execute(
          DATABASE.server(),
          "CREATE TABLE IF NOT EXISTS \"" + setup.namespace() + "\" (id BIGINT)");
      return new Redoes(setup, looks);
    }

    @Override
    public TestRecord input(TestRecord record) {
      return record;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) throws SQLException {
      return Sql.column(DATABASE.server(), "SELECT id FROM \"" + namespace + "\"").stream()
          .map(id -> new TestRecord(Long.parseLong(id), "", 0))
          .toList();
    }

    @Override
    public int concurrentRuns() {
      return 4;
    }

    @Override
    public boolean realServers() {
      return true;
    }
  }

  /** Its handle holds the ids of its records. */
  private static final class Redoes
      extends TransactionalConnector<TestRecord, List<String>, String> {
    private static final long serialVersionUID = 1L;

    private final SinkSetup setup;
    private final boolean looks;
    private transient DataSource source;

    Redoes(SinkSetup setup, boolean looks) {
      this.setup = setup;
      this.looks = looks;
    }

    @Override
    public void open(ConnectorContext context) {
      source =
          PostgresWireContractTest.through(
              setup.faults(), DATABASE.server().port(), DATABASE.server().user());
    }

    @Override
    public List<String> begin(TransactionId id) {
      return new ArrayList<>();
    }

    @Override
    public void write(List<String> transaction, TestRecord record, WriteContext context) {
      transaction.add(String.valueOf(record.id()));
    }

    @Override
    public Optional<String> preCommit(List<String> transaction) {
      return transaction.isEmpty()
          ? Optional.empty()
          : Optional.of(String.join("), (", transaction));
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      try {
        insert(handle);
      } catch (SQLException replyLost) {
        insert(handle);
      }
      return CommitOutcome.committed();
    }

    private void insert(String handle) throws SQLException {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        String unless =
            looks ? " WHERE NOT EXISTS (SELECT 1 FROM \"" + setup.namespace() + "\")" : "";
        statement.execute(
            "INSERT INTO \""
                + setup.namespace()
                + "\" SELECT * FROM (VALUES ("
                + handle
                + ")) AS rows"
                + unless);
        connection.commit();
      }
    }

    @Override
    public void abort(List<String> transaction) {}

    @Override
    public List<Unfinished> unfinished() {
      return List.of();
    }

    @Override
    public void abort(Unfinished transaction) {}

    @Override
    public SimpleVersionedSerializer<String> handleSerializer() {
      return HandleSerializers.text();
    }
  }
}
