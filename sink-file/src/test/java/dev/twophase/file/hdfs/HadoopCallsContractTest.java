package dev.twophase.file.hdfs;

import dev.twophase.file.Sinks;
import dev.twophase.file.contract.FileSinkContract;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.hadoop.HadoopFaults;
import java.time.Duration;
import java.util.Map;

/**
 * The connector on a Hadoop file system of which every call, and every call of its streams, can
 * fail, be cut off, or kill: what one operation of the sink's storage does can stop half-way.
 */
class HadoopCallsContractTest extends FileSinkContract {

  private static final Map<String, String> FAULTY =
      HadoopFaults.settings("file", UnprotectedLocalFileSystem.class);

  /** A build tries part of it, because Hadoop reads its settings for each attempt. */
  @Override
  protected Bound bound() {
    Bound bound = super.bound();
    return bound.equals(Bound.oneFault())
        ? bound.withParallelism(1).withCheckpoints(1).withBudget(Duration.ofSeconds(8))
        : bound;
  }

  @Override
  public Object sink(SinkSetup setup) {
    return Sinks.on(uri -> HadoopStorages.open(uri, FAULTY), configured(setup)).buildConnector();
  }
}
