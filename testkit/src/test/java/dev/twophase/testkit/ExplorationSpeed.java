package dev.twophase.testkit;

import com.sun.management.OperatingSystemMXBean;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.OnMemoryStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Prints how many schedules each tier makes in a second of one core; run by hand. */
final class ExplorationSpeed {

  private ExplorationSpeed() {}

  public static void main(String[] arguments) {
    String tier = arguments[0];
    Bound bound =
        Bound.oneFault()
            .withFaults(Integer.parseInt(arguments[1]))
            .withBudget(Duration.ofSeconds(Long.parseLong(arguments[2])));
    SinkUnderTest<TestRecord> sink = new MemorySink(MemoryConnector::new);
    if (tier.equals("operator")) {
      sink = new SinkV2();
    }
    for (int round = 0; round < 4; round++) {
      long begun = processCpuNanos();
      Exploration exploration = SinkKit.of(sink).explore(bound);
      long cpuMillis = Math.max(1, (processCpuNanos() - begun) / 1_000_000);
      System.out.println(
          exploration.schedules() * 1_000 / cpuMillis
              + " per second of one core; "
              + exploration.describe());
    }
  }

  /** Of all threads, garbage collection and compilation included. */
  private static long processCpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static final class SinkV2 implements OnMemoryStore {

    @Override
    public Object sink(SinkSetup setup) {
      return TransactionalSink.of(
          setup.sinkName(), new MemoryConnector(setup.namespace()), setup.options());
    }
  }
}
