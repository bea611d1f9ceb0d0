package dev.twophase.kafka.contract;

import dev.twophase.testkit.SinkSetup;

/** The sink as jobs use it, through Sink V2. */
class SinkV2ContractTest extends KafkaSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }
}
