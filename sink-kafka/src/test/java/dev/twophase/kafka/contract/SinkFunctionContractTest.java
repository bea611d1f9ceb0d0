package dev.twophase.kafka.contract;

import dev.twophase.testkit.SinkSetup;

/** The sink as jobs use it, through Flink's older API. */
class SinkFunctionContractTest extends KafkaSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }
}
