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

  @Override
  protected Bound bound() {
    return super.bound().withBudget(Duration.ofSeconds(180));
  }
}
