package dev.twophase.jdbc.contract;

import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/**
 * By prepared transactions of PostgreSQL, through Sink V2; waits for locks, so it takes minutes.
 */
@Tag("nightly")
public class PostgresXaContractTest extends PostgresContract {

  /** Waiting for locks is most of it. */
  @Override
  protected Bound bound() {
    return oneFault(1, Duration.ofMinutes(20));
  }

  @Override
  protected TransactionalJdbcSink<TestRecord> configured(SinkSetup setup) {
    return super.configured(setup).mode(CommitMode.XA).lockTimeout(Duration.ofSeconds(1));
  }

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws Exception {
    List<Object> found = new ArrayList<>(super.unfinished(namespace).orElseThrow());
    found.addAll(
        Sql.column(
            server(), "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE '" + namespace + ".%'"));
    return Optional.of(found);
  }
}
