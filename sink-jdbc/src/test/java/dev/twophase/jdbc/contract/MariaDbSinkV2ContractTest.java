package dev.twophase.jdbc.contract;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import java.time.Duration;

/** By ledger on MariaDB, through Sink V2. */
class MariaDbSinkV2ContractTest extends MariaDbContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }

  /** The sink is the same as on PostgreSQL; what differs is a dialect. */
  @Override
  protected Bound bound() {
    return oneFault(1, 1, Duration.ofMinutes(1));
  }
}
