package dev.twophase.jdbc;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** By ledger on PostgreSQL, through Sink V2. Nothing kills the server here, so it need not sync. */
class PostgresSinkV2ContractTest extends JdbcSinkContract {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  @Override
  DatabaseServer server() {
    return DATABASE.server();
  }

  @Override
  String serialType() {
    return "BIGSERIAL";
  }

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }
}
