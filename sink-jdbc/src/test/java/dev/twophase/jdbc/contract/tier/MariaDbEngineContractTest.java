package dev.twophase.jdbc.contract.tier;

import dev.twophase.jdbc.contract.MariaDbContract;
import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** By ledger on MariaDB, on the engine alone. */
@Tag("nightly")
class MariaDbEngineContractTest extends MariaDbContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildConnector();
  }
}
