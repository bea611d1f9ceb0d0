package dev.twophase.kafka;

import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** The connector on the engine alone. */
@Tag("nightly")
class ConnectorContractTest extends KafkaSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return RunConnector.of(configured(setup).buildConnector(), setup.namespace());
  }
}
