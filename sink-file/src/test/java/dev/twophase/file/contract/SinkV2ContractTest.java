package dev.twophase.file.contract;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import java.time.Duration;

/** The sink as jobs use it, through Sink V2. */
class SinkV2ContractTest extends FileSinkContract {

  @Override
  public Object sink(SinkSetup setup) {
    return configured(setup).buildSink();
  }

  /** On the older of Flink's lines only how Flink calls the sink is another. */
  @Override
  protected Bound bound() {
    boolean olderLine = System.getProperty("twophase.flink.version", "").startsWith("1.");
    Bound bound = exhausting(super.bound());
    return (olderLine ? shorter(bound) : bound).withBudget(Duration.ofSeconds(180));
  }
}
