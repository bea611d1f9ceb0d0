package dev.twophase.jdbc.contract;

import dev.twophase.testkit.SinkSetup;

/** By ledger on PostgreSQL, through the function. */
class PostgresSinkFunctionContractTest extends PostgresContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }
}
