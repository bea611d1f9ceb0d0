package dev.twophase.jdbc;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * By prepared transactions of PostgreSQL, through Sink V2; waits for locks, so it takes minutes.
 */
@Tag("nightly")
class PostgresXaContractTest extends JdbcSinkContract {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(
          () ->
              PostgresServer.builder()
                  .setting("fsync", "off")
                  .setting("max_prepared_transactions", "500")
                  .build());

  @Override
  DatabaseServer server() {
    return DATABASE.server();
  }

  @Override
  String serialType() {
    return "BIGSERIAL";
  }

  /** Waiting for locks is most of it. */
  @Override
  protected Bound bound() {
    return oneFault(1, Duration.ofMinutes(20));
  }

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).mode(CommitMode.XA).lockTimeout(Duration.ofSeconds(1)).buildSink();
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
