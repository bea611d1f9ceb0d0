package dev.twophase.jdbc.contract;

import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On MariaDB. Nothing kills the server here, so it need not sync. */
public abstract class MariaDbContract extends JdbcSinkContract {

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> DATABASE =
      DatabaseExtension.of(() -> MariaDbServer.create("--debug-no-sync"));

  @Override
  protected DatabaseServer server() {
    return DATABASE.server();
  }

  @Override
  protected String serialType() {
    return "BIGINT AUTO_INCREMENT";
  }
}
