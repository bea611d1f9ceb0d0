package dev.twophase.file.contract;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;

/** The sink as jobs use it, through Flink's older API. */
class SinkFunctionContractTest extends FileSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }

  @Override
  protected Bound bound() {
    return shorter(exhausting(super.bound()));
  }
}
