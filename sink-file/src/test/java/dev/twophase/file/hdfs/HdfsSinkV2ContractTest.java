package dev.twophase.file.hdfs;

import dev.twophase.testkit.SinkSetup;

/** The sink as jobs use it, through Sink V2, on HDFS. */
public class HdfsSinkV2ContractTest extends HdfsSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }
}
