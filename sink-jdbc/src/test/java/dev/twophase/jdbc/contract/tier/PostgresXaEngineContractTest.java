package dev.twophase.jdbc.contract.tier;

import dev.twophase.jdbc.contract.PostgresXaContractTest;
import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** By prepared transactions of PostgreSQL, on the engine alone. */
@Tag("nightly")
class PostgresXaEngineContractTest extends PostgresXaContractTest {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildConnector();
  }
}
