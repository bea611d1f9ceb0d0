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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit refutes every broken sink, for the right reason, and accuses no correct one. */
class GalleryTest {

  private static final GalleryReport REPORT = new GalleryReport();

  static List<Mutant> mutants() {
    return Mutants.all().stream().filter(mutant -> mutant.faults() < 2).toList();
  }

  /** To find these takes a minute each, and the profile {@code mutants}. */
  static Stream<Arguments> refutedByTwoFaults() {
    return Stream.of(
        refuted(
            13,
            "2pk/1 p=1; s0.in 1; s0.bar 1; s0.in 2; s0.bar 2; done 2;"
                + " s0.ntf 2 !StoreClient.commit#1=E; up 2"),
        refuted(
            25, "2pk/1 p=1; up none !s0:StoreClient.listUnfinished#1=D; up none; s0.in 1; settle"),
        refuted(26, "2pk/1 p=1; s0.in 1; s0.bar 1; doubt 1; s0.nab 1; up 1; settle"));
  }

  private static Arguments refuted(int number, String line) {
    Mutant mutant =
        Mutants.all().stream().filter(each -> each.number() == number).findFirst().orElseThrow();
    return Arguments.of(mutant, line);
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
    REPORT.print(mutants().size());
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aBrokenSinkIsRefutedAndItsTwinIsNot(Mutant mutant) {
    Refutation refutation = Refutation.of(mutant);
    Judgement judgement = refutation.judgement();
    String line = judgement.schedule().toString();

    Judgement again = SinkKit.of(mutant.sink()).replay(line);
    assertThat(again.title()).as(again.describe()).isEqualTo(judgement.title());
    assertTwinPasses(mutant, line);
    assertEveryStepCounts(mutant, judgement.schedule());
    REPORT.killed(refutation);
  }

  @ParameterizedTest
  @MethodSource("refutedByTwoFaults")
  void whatTakesTwoFaultsIsRefutedByThem(Mutant mutant, String line) {
    Judgement judgement = SinkKit.of(mutant.sink()).replay(line);

    assertThat(mutant.verdicts()).as(judgement.describe()).contains(judgement.verdict());
    assertThat(judgement.rules()).containsAnyElementsOf(mutant.rules());
    assertTwinPasses(mutant, line);
    assertEveryStepCounts(mutant, judgement.schedule());
  }

  private static void assertTwinPasses(Mutant mutant, String line) {
    Judgement twin = SinkKit.of(mutant.twin()).replay(line);
    assertThat(twin.verdict()).as(twin.describe()).isEqualTo(Verdict.PASS);
  }

  @ParameterizedTest
  @MethodSource("controls")
  void whatIsWrongAltogetherIsToldApart(Mutant control) {
    Refutation.of(control);
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
