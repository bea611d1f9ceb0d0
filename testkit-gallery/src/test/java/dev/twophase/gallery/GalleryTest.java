package dev.twophase.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit refutes every broken sink, for the right reason, and accuses no correct one. */
class GalleryTest {

  private static final GalleryReport REPORT = new GalleryReport();

  static List<Mutant> mutants() {
    return Mutants.all();
  }

  static List<Mutant> controls() {
    return Mutants.controls();
  }

  static List<GallerySink> connectors() {
    return CorrectSinks.connectors();
  }

  static List<GallerySink> flinkSinks() {
    return CorrectSinks.flinkSinks();
  }

  @AfterAll
  static void print() {
    REPORT.print(Mutants.all().size());
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aBrokenSinkIsRefutedAndItsTwinIsNot(Mutant mutant) {
    long start = System.nanoTime();
    GalleryReport.Kill kill = refute(mutant);
    long took = System.nanoTime() - start;
    Judgement judgement = kill.judgement();
    String line = judgement.schedule().toString();

    Judgement again = SinkKit.of(mutant.sink()).replay(line);
    assertThat(again.title()).as(again.describe()).isEqualTo(judgement.title());
    Judgement twin = SinkKit.of(mutant.twin()).replay(line);
    assertThat(twin.verdict()).as(twin.describe()).isEqualTo(Verdict.PASS);
    assertEveryStepCounts(mutant, judgement.schedule());
    REPORT.killed(kill, took);
  }

  @ParameterizedTest
  @MethodSource("controls")
  void whatIsWrongAltogetherIsToldApart(Mutant control) {
    refute(control);
  }

  @ParameterizedTest
  @MethodSource("connectors")
  void aCorrectConnectorIsNotAccused(GallerySink sink) {
    explore(sink, Bound.oneFault());
  }

  @ParameterizedTest
  @MethodSource("flinkSinks")
  void aCorrectFlinkSinkIsNotAccused(GallerySink sink) {
    explore(sink, Bound.oneFault().withParallelism(1));
  }

  private static void explore(GallerySink sink, Bound bound) {
    Exploration exploration = SinkKit.of(sink).explore(bound);

    REPORT.explored(sink, exploration);
    assertThat(exploration.findings()).extracting(Judgement::describe).isEmpty();
    assertThat(exploration.refuted()).as(exploration.describe()).isZero();
    assertThat(exploration.exhausted()).as(exploration.describe()).isTrue();
  }

  private static GalleryReport.Kill refute(Mutant mutant) {
    List<String> others = new ArrayList<>();
    for (Bound bound : bounds(mutant.faults())) {
      Exploration exploration = SinkKit.of(mutant.sink()).explore(bound);
      others.add(exploration.describe());
      for (Judgement finding : exploration.findings()) {
        if (isRight(mutant, finding)) {
          return new GalleryReport.Kill(mutant, finding, bound.faults());
        }
        others.add(finding.describe());
      }
    }
    throw new AssertionError(mutant + " was not refuted:\n" + String.join("\n", others));
  }

  /** As few faults as possible, then as few schedules. */
  private static List<Bound> bounds(int mostFaults) {
    List<Bound> bounds = new ArrayList<>();
    for (int faults = 0; faults <= mostFaults; faults++) {
      Bound bound = Bound.oneFault().withFaults(faults);
      bounds.add(bound.withParallelism(1).withCheckpoints(1));
      bounds.add(bound.withParallelism(1));
      bounds.add(bound);
    }
    return bounds;
  }

  private static boolean isRight(Mutant mutant, Judgement judgement) {
    return mutant.verdicts().contains(judgement.verdict())
        && judgement.rules().stream().anyMatch(mutant.rules()::contains);
  }

  private static void assertEveryStepCounts(Mutant mutant, Schedule schedule) {
    SinkKit<TestRecord> kit = SinkKit.of(mutant.sink());
    for (int i = 0; i < schedule.steps().size() - 1; i++) {
      List<Step> fewer = new ArrayList<>(schedule.steps());
      Step removed = fewer.remove(i);
      Judgement judgement = kit.replay(schedule.with(fewer).toString());
      assertThat(judgement.title())
          .as("without '%s': %s", removed, judgement.describe())
          .matches(title -> !judgement.verdict().accuses());
    }
  }
}
