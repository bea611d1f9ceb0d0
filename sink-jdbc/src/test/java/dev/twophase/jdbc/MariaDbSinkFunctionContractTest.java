package dev.twophase.jdbc;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * By ledger on MariaDB, through the function. Nothing kills the server here, so it need not sync.
 */
@Tag("nightly")
class MariaDbSinkFunctionContractTest extends JdbcSinkContract {

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> DATABASE =
      DatabaseExtension.of(() -> MariaDbServer.create("--innodb-flush-log-at-trx-commit=0"));

  @Override
  DatabaseServer server() {
    return DATABASE.server();
  }

  @Override
  String serialType() {
    return "BIGINT AUTO_INCREMENT";
  }

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }
}
