package dev.twophase.file.contract;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import org.junit.jupiter.api.Tag;

/** The connector on the engine alone. */
@Tag("one-flink-line")
class ConnectorContractTest extends FileSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildConnector();
  }

  /** In an ordinary build it is the one with neighbours, who are company enough. */
  @Override
  protected Bound bound() {
    Bound bound = exhausting(super.bound());
    return bound.equals(Bound.oneFault()) ? shorter(bound).withParallelism(1) : bound;
  }

  @Override
  public boolean toleratesNeighbours() {
    return true;
  }
}
