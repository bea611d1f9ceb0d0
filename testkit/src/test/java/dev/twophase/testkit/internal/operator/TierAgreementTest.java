package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same text gets the same verdict in the operator and in the cluster tier. */
class TierAgreementTest {

  private static final int SAMPLE = 60;
  private static final long SEED = 20;

  @Test
  void aSampleOfAllSchedulesWithOneFaultGetsTheSameVerdictInBothTiers() {
    List<Schedule> schedules = schedulesWithOneFault(Bound.oneFault());
    Collections.shuffle(schedules, new Random(SEED));
    List<Schedule> sample = new ArrayList<>(endingsThatFail());
    sample.addAll(schedules.subList(0, SAMPLE - sample.size()));
    new Comparison(new ShelfUnderTest()).compare(sample);
  }

  /** A subtask has ended as it should, and then its last call fails. */
  private static List<Schedule> endingsThatFail() {
    return Stream.of("closeCommitter#1=E", "closeWriter#1=E", "closeCommitter#1=K")
        .map(
            fault ->
                "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s*.ntf 1; s*.eoi; s*.bar 2; done 2;"
                    + " s0.ntf 2 !"
                    + fault
                    + "; s1.ntf 2; settle")
        .map(Schedule::parse)
        .toList();
  }

  @Test
  @Tag("nightly")
  void everyScheduleWithOneFaultGetsTheSameVerdictInBothTiers() {
    new Comparison(new ShelfUnderTest()).compare(schedulesWithOneFault(Bound.oneFault()));
  }

  private static List<Schedule> schedulesWithOneFault(Bound bound) {
    Explorer explorer = new Explorer(new Subject<>(new ShelfUnderTest()), bound);
    List<Schedule> schedules = new ArrayList<>();
    explorer.explorations().forEach(script -> script.withOneFault().forEach(schedules::add));
    return schedules;
  }

  /** Runs schedules in both tiers and prints what came of each step. */
  private static final class Comparison {
    private final SinkUnderTest<String> sink;
    private final Map<Verb, int[]> counts = new EnumMap<>(Verb.class);
    private final Map<String, Integer> notRunnable = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private int compared;

    Comparison(SinkUnderTest<String> sink) {
      this.sink = sink;
    }

    void compare(List<Schedule> schedules) {
      SinkKit<String> operator = SinkKit.of(sink);
      long nanos = 0;
      try (ClusterKit cluster = ClusterKit.of(ShelfUnderTest.class)) {
        cluster.replay("2pk/1 p=1; settle");
        for (Schedule schedule : schedules) {
          Judgement there = operator.replay(schedule.toString());
          long begun = System.nanoTime();
          Judgement here = cluster.replay(schedule.toString());
          if (note(schedule, there, here)) {
            nanos += System.nanoTime() - begun;
          }
        }
      }
      print(nanos);
      assertThat(differences).isEmpty();
      assertThat(compared).isGreaterThan(schedules.size() / 2);
    }

    /** Returns whether the schedule was run in both. */
    private boolean note(Schedule schedule, Judgement there, Judgement here) {
      boolean runnable =
          here.verdict() != Verdict.INCONCLUSIVE
              || !here.why().endsWith("is not runnable in this tier");
      schedule.steps().stream()
          .map(step -> step.verb())
          .distinct()
          .forEach(verb -> counts.computeIfAbsent(verb, key -> new int[2])[runnable ? 0 : 1]++);
      if (!runnable) {
        notRunnable.merge(
            here.why().replaceAll("'(s\\d\\.)?(\\w+)[^']*'", "'$2'"), 1, Integer::sum);
        return false;
      }
      compared++;
      if (here.verdict() != there.verdict()) {
        differences.add(
            there.verdict() + " / " + here.verdict() + " (" + here.why() + "): " + schedule);
      }
      return true;
    }

    private void print(long nanos) {
      System.out.printf(
          "operator and cluster tier: %d schedules compared, %d differ, cluster schedules/s %.1f%n",
          compared, differences.size(), compared * 1e9 / Math.max(1, nanos));
      System.out.printf("%-8s%12s%12s%n", "step", "both tiers", "operator");
      counts.forEach(
          (verb, count) -> System.out.printf("%-8s%12d%12d%n", verb.word(), count[0], count[1]));
      notRunnable.forEach((why, count) -> System.out.printf("%d schedules: %s%n", count, why));
    }
  }
}
