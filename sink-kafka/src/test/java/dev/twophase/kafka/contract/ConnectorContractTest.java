package dev.twophase.kafka.contract;

import dev.twophase.testkit.SinkSetup;

/** The connector on the engine alone. */
class ConnectorContractTest extends KafkaSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return new WithoutLifetime<>(configured(setup).buildConnector());
  }
}
