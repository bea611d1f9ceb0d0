package dev.twophase.jdbc.contract;

import dev.twophase.testkit.SinkSetup;

/** By ledger on MariaDB, through Sink V2. */
class MariaDbSinkV2ContractTest extends MariaDbContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }
}
