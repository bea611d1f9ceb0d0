package dev.twophase.gallery;

import com.sun.management.OperatingSystemMXBean;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.SinkKit;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * What the kit is worth, in figures: prints how each mutant was refuted, what the correct sinks
 * were put through, and a summary as the last line. Run by the profile {@code mutants}.
 */
final class Figures {

  private static final Duration WARM_UP = Duration.ofSeconds(30);
  private static final Duration WINDOW = Duration.ofSeconds(6);
  private static final int WINDOWS = 5;
  private static final Bound TWO_FAULTS = Bound.oneFault().withFaults(2);

  private Figures() {}

  /** Exits with 1 unless {@link Results#proven}. */
  public static void main(String[] arguments) {
    // First, because the JVM of a test knows one sink, and is not prepared for thirty.
    long protocol = speed(CorrectSinks.CONNECTOR);
    long operator = speed(CorrectSinks.SINK_V2);
    Kills kills = new Kills();
    kills.collect();
    Endurance endurance = new Endurance();
    endurance.run();
    ClusterSpeed cluster = new ClusterSpeed();
    cluster.measure();
    Results results =
        new Results(
            kills.counting().size(),
            Mutants.all().size(),
            kills.counting().stream().mapToInt(Refutation::faults).max().orElse(0),
            Refutation.medianSeconds(kills.counting()),
            endurance.accusations() + cluster.accusations(),
            endurance.inconclusive() + cluster.inconclusive(),
            endurance.exhausted(),
            protocol,
            operator,
            cluster.perSecond());
    results.targets().forEach(System.out::println);
    System.out.println(results.summary());
    System.exit(results.proven() ? 0 : 1);
  }

  /**
   * Schedules in a second of one core, the median of several windows; all that the process does
   * included: collecting garbage, and compiling what the warm-up has left to compile.
   */
  private static long speed(GallerySink sink) {
    long warm = System.nanoTime() + WARM_UP.toNanos();
    while (System.nanoTime() < warm) {
      SinkKit.of(sink).explore(TWO_FAULTS.withBudget(WINDOW));
    }
    long[] perSecond = new long[WINDOWS];
    for (int i = 0; i < WINDOWS; i++) {
      perSecond[i] = speedInOneWindow(sink);
    }
    Arrays.sort(perSecond);
    return perSecond[WINDOWS / 2];
  }

  private static long speedInOneWindow(GallerySink sink) {
    long begun = cpuMillis();
    Exploration exploration = SinkKit.of(sink).explore(TWO_FAULTS.withBudget(WINDOW));
    long took = Math.max(1, cpuMillis() - begun);
    long perSecond = exploration.schedules() * 1_000 / took;
    System.out.printf(
        Locale.ROOT,
        "speed, %s: %d schedules/s/core, %.2f cores busy; %s%n",
        sink.name(),
        perSecond,
        (double) took / Math.max(1, exploration.took().toMillis()),
        exploration.describe());
    return perSecond;
  }

  private static long cpuMillis() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1_000_000;
  }
}
