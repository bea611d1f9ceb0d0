package dev.twophase.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.TestRecord;
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

  private static void assertTwinPasses(Mutant mutant, String line) {
    Judgement twin = SinkKit.of(mutant.twin()).replay(line);
    assertThat(twin.verdict().passes()).as(twin.describe()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("controls")
  void whatIsWrongAltogetherIsToldApart(Mutant control) {
    Refutation.of(control);
  }

  @ParameterizedTest
  @MethodSource("connectors")
  void aCorrectConnectorIsNotAccused(GallerySink sink) {
    explore(sink, Refutation.BOUND);
  }

  @ParameterizedTest
  @MethodSource("flinkSinks")
  void aCorrectFlinkSinkIsNotAccused(GallerySink sink) {
    explore(sink, Refutation.BOUND);
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
