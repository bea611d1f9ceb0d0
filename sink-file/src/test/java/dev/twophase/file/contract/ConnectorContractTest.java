package dev.twophase.file.contract;

import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** The connector on the engine alone. */
@Tag("one-flink-line")
class ConnectorContractTest extends FileSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildConnector();
  }
}
