package dev.twophase.file;

import dev.twophase.testkit.SinkSetup;

/** The connector on the engine alone. */
class ConnectorContractTest extends FileSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildConnector();
  }
}
