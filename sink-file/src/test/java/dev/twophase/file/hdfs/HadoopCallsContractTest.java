package dev.twophase.file.hdfs;

import dev.twophase.file.Sinks;
import dev.twophase.file.contract.FileSinkContract;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.hadoop.HadoopFaults;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;

/**
 * The connector on a Hadoop file system of which every call, and every call of its streams, can
 * fail, be cut off, or kill: what one operation of the sink's storage does can stop half-way.
 */
@Tag("one-flink-line")
class HadoopCallsContractTest extends FileSinkContract {

  /** Read once: for each attempt it would take most of the time. */
  private static final Configuration FAULTY = new Configuration();

  static {
    HadoopFaults.settings("file", UnprotectedLocalFileSystem.class).forEach(FAULTY::set);
  }

  /** A build takes what time allows. */
  @Override
  protected Bound bound() {
    Bound bound = super.bound();
    return bound.equals(Bound.oneFault())
        ? bound.withParallelism(1).withCheckpoints(1).withBudget(Duration.ofSeconds(8))
        : bound;
  }

  @Override
  public Object sink(SinkSetup setup) {
    return Sinks.on(uri -> HadoopStorages.open(uri, new Configuration(FAULTY)), configured(setup))
        .buildConnector();
  }
}
