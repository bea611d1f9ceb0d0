package dev.twophase.jdbc.contract;

import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On PostgreSQL. Nothing kills the server here, so it need not sync. */
public abstract class PostgresContract extends JdbcSinkContract {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(
          () ->
              PostgresServer.builder()
                  .setting("fsync", "off")
                  .setting("max_prepared_transactions", "500")
                  .build());

  @Override
  protected DatabaseServer server() {
    return DATABASE.server();
  }

  @Override
  protected String serialType() {
    return "BIGSERIAL";
  }
}
