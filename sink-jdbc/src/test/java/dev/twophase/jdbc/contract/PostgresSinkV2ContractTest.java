package dev.twophase.jdbc.contract;

import dev.twophase.testkit.SinkSetup;

/** By ledger on PostgreSQL, through Sink V2. */
class PostgresSinkV2ContractTest extends PostgresContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }
}
