package dev.twophase.gallery;

import com.sun.management.OperatingSystemMXBean;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.SinkKit;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What the kit is worth, in figures: prints how each mutant was refuted, what the correct sinks
 * were put through, and a summary as the last line. Run by the profile {@code mutants}.
 */
final class Figures {

  private static final Duration WARM_UP = Duration.ofSeconds(40);
  private static final Duration MEASURED = Duration.ofSeconds(20);
  private static final Bound TWO_FAULTS = Bound.oneFault().withFaults(2);

  private Figures() {}

  /** Exits with 1 unless every mutant is refuted and nothing else is accused. */
  public static void main(String[] arguments) {
    Kills kills = new Kills();
    kills.collect();
    Endurance endurance = new Endurance();
    endurance.run();
    long protocol = speed(CorrectSinks.CONNECTOR);
    long operator = speed(CorrectSinks.SINK_V2);
    ClusterSpeed cluster = new ClusterSpeed();
    cluster.measure();
    long accusations = endurance.accusations() + cluster.accusations();
    printSummary(kills.counting(), accusations, protocol, operator, cluster.perSecond());
    boolean proven = kills.counting().size() == Mutants.all().size() && accusations == 0;
    System.exit(proven ? 0 : 1);
  }

  /**
   * Schedules in a second of one core, all that the process does included: collecting garbage, and
   * compiling what the warm-up has left to compile.
   */
  private static long speed(GallerySink sink) {
    SinkKit.of(sink).explore(TWO_FAULTS.withBudget(WARM_UP));
    long begun = cpuMillis();
    Exploration exploration = SinkKit.of(sink).explore(TWO_FAULTS.withBudget(MEASURED));
    long took = Math.max(1, cpuMillis() - begun);
    System.out.printf(
        Locale.ROOT,
        "speed, %s: %s; %d ms of CPU, %.2f cores busy%n",
        sink.name(),
        exploration.describe(),
        took,
        (double) took / Math.max(1, exploration.took().toMillis()));
    return exploration.schedules() * 1_000 / took;
  }

  private static long cpuMillis() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1_000_000;
  }

  private static void printSummary(
      List<Refutation> kills, long accusations, long protocol, long operator, double cluster) {
    System.out.printf(
        Locale.ROOT,
        "mutants killed %d/%d, max faults %d, median s %.2f, false accusations %d, protocol"
            + " schedules/s/core %d, operator schedules/s/core %d, cluster schedules/s %.1f%n",
        kills.size(),
        Mutants.all().size(),
        kills.stream().mapToInt(Refutation::faults).max().orElse(0),
        Refutation.medianSeconds(kills),
        accusations,
        protocol,
        operator,
        cluster);
  }
}
