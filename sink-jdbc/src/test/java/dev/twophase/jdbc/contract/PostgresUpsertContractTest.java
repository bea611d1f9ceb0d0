package dev.twophase.jdbc.contract;

import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.jdbc.DatabaseServer;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Upserts by ledger on PostgreSQL: the table holds the newest record of each key. A trigger of the
 * server notes every write, so that one too many is seen although it changes nothing.
 */
@Tag("nightly")
class PostgresUpsertContractTest extends PostgresContract {

  @BeforeEach
  void createLatest() throws SQLException {
    DatabaseServer server = server();
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS latest",
        "CREATE TABLE latest (run VARCHAR(40), id BIGINT, k VARCHAR(20), position BIGINT,"
            + " PRIMARY KEY (run, k))",
        "CREATE OR REPLACE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " INSERT INTO seen (run, id, k, position)"
            + " VALUES (NEW.run, NEW.id, NEW.k, NEW.position); RETURN NULL; END $$",
        "CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON latest"
            + " FOR EACH ROW EXECUTE FUNCTION note_write()");
  }

  @Override
  protected TransactionalJdbcSink<TestRecord> configured(SinkSetup setup) {
    String run = setup.namespace();
    return configuredAlone(setup)
        .upsertInto("latest")
        .key("run", record -> run)
        .key("k", TestRecord::key)
        .column("id", TestRecord::id)
        .column("position", TestRecord::sequence);
  }

  /**
   * All writes, and a record that nobody wrote for each row that is not what was written last: in
   * one statement, since commits go on.
   */
  @Override
  protected String visibleSql() {
    return "SELECT w.id, w.k, w.position FROM (SELECT ? AS run) r CROSS JOIN LATERAL ("
        + "SELECT place, id, k, position FROM seen WHERE run = r.run"
        + " UNION ALL SELECT 9223372036854775807, 0, 'not the newest of ' || l.k, 0"
        + " FROM latest l WHERE l.run = r.run AND l.id <> (SELECT s.id FROM seen s"
        + " WHERE s.run = l.run AND s.k = l.k ORDER BY s.place DESC LIMIT 1)) w ORDER BY w.place";
  }

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }
}
