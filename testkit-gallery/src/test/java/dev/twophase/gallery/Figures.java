package dev.twophase.gallery;

import com.sun.management.OperatingSystemMXBean;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Step;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the kit is worth, in figures: prints how each mutant was refuted, what the correct sinks
 * were put through, and a summary as the last line. Run by the profile {@code mutants}.
 */
final class Figures {

  private static final int REPETITIONS = 10;
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final Duration MEASURED = Duration.ofSeconds(20);
  private static final Bound TWO_FAULTS = Bound.oneFault().withFaults(2);

  private final List<Refutation> kills = new ArrayList<>();
  private long accusations;
  private long protocolSchedules;
  private long operatorSchedules;

  private Figures() {}

  /** Exits with 1 unless every mutant is refuted and nothing else is accused. */
  public static void main(String[] arguments) {
    Figures figures = new Figures();
    figures.refute();
    figures.exploreCorrectOnes();
    long protocol = speed(CorrectSinks.CONNECTOR);
    long operator = speed(CorrectSinks.SINK_V2);
    figures.printSummary(protocol, operator);
    boolean proven = figures.kills.size() == Mutants.all().size() && figures.accusations == 0;
    System.exit(proven ? 0 : 1);
  }

  private void refute() {
    for (Mutant mutant : Mutants.all()) {
      try {
        Refutation refutation = Refutation.of(mutant);
        String objection = objection(refutation);
        System.out.println(refutation.describe() + objection);
        if (objection.isEmpty()) {
          kills.add(refutation);
        }
      } catch (AssertionError notFound) {
        System.out.println(notFound.getMessage());
      }
    }
  }

  /** Why a kill does not count; empty if it does. */
  private static String objection(Refutation refutation) {
    Mutant mutant = refutation.mutant();
    Judgement judgement = refutation.judgement();
    SinkKit<TestRecord> kit = SinkKit.of(mutant.sink());
    for (int i = 0; i < REPETITIONS; i++) {
      Judgement again = kit.replay(judgement.schedule().toString());
      if (!again.title().equals(judgement.title())) {
        return " | does not count: again it is " + again.title();
      }
    }
    Judgement twin = SinkKit.of(mutant.twin()).replay(judgement.schedule().toString());
    if (twin.verdict() != Verdict.PASS) {
      return " | does not count: its twin is " + twin.title();
    }
    for (int i = 0; i < judgement.schedule().steps().size() - 1; i++) {
      List<Step> fewer = new ArrayList<>(judgement.schedule().steps());
      Step removed = fewer.remove(i);
      if (kit.replay(judgement.schedule().with(fewer).toString()).verdict().accuses()) {
        return " | does not count: '" + removed + "' is not needed";
      }
    }
    return "";
  }

  private void exploreCorrectOnes() {
    for (GallerySink sink : CorrectSinks.connectors()) {
      Exploration exploration = explore(sink, TWO_FAULTS);
      protocolSchedules += exploration.schedules();
    }
    for (GallerySink sink : CorrectSinks.flinkSinks()) {
      Exploration exploration = explore(sink, Bound.oneFault());
      operatorSchedules += exploration.schedules();
    }
    System.out.printf(
        "correct sinks: %d protocol and %d operator schedules%n",
        protocolSchedules, operatorSchedules);
  }

  private Exploration explore(GallerySink sink, Bound bound) {
    Exploration exploration = SinkKit.of(sink).explore(bound.withBudget(Duration.ofMinutes(1)));
    System.out.println(sink.name() + ": " + exploration.describe());
    exploration.findings().forEach(finding -> System.out.println(finding.describe()));
    accusations += exploration.refuted();
    return exploration;
  }

  /** Schedules in a second of one core, all that the process does included. */
  private static long speed(GallerySink sink) {
    SinkKit.of(sink).explore(TWO_FAULTS.withBudget(WARM_UP));
    long begun = cpuMillis();
    Exploration exploration = SinkKit.of(sink).explore(TWO_FAULTS.withBudget(MEASURED));
    long took = Math.max(1, cpuMillis() - begun);
    System.out.println("speed, " + sink.name() + ": " + exploration.describe());
    return exploration.schedules() * 1_000 / took;
  }

  private static long cpuMillis() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1_000_000;
  }

  private void printSummary(long protocol, long operator) {
    System.out.printf(
        Locale.ROOT,
        "mutants killed %d/%d, max faults %d, median s %.2f, false accusations %d, protocol"
            + " schedules/s/core %d, operator schedules/s/core %d, cluster schedules/s n/a%n",
        kills.size(),
        Mutants.all().size(),
        kills.stream().mapToInt(Refutation::faults).max().orElse(0),
        Refutation.medianSeconds(kills),
        accusations,
        protocol,
        operator);
  }
}
