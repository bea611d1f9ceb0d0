package dev.twophase.jdbc.contract.tier;

import dev.twophase.jdbc.contract.PostgresContract;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** By ledger on PostgreSQL, on the engine alone. */
@Tag("nightly")
class PostgresEngineContractTest extends PostgresContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildConnector();
  }

  @Override
  protected Bound bound() {
    return super.bound().withRequired(1);
  }
}
