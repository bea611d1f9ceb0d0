package dev.twophase.jdbc.contract;

import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** By ledger on MariaDB, through the function. */
@Tag("nightly")
class MariaDbSinkFunctionContractTest extends MariaDbContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }
}
