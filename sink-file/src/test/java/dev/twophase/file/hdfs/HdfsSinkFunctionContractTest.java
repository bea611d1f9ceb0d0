package dev.twophase.file.hdfs;

import dev.twophase.testkit.SinkSetup;

/** The sink through Flink's older API, on HDFS. */
class HdfsSinkFunctionContractTest extends HdfsSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildFunction();
  }
}
