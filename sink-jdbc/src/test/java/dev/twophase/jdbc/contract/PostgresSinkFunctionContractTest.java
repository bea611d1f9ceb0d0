package dev.twophase.jdbc.contract;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import java.time.Duration;

/** By ledger on PostgreSQL, through the function. */
class PostgresSinkFunctionContractTest extends PostgresContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }

  /** The connector is the same as through Sink V2; the function has a contract in core. */
  @Override
  protected Bound bound() {
    return oneFault(1, 1, Duration.ofMinutes(1));
  }
}
