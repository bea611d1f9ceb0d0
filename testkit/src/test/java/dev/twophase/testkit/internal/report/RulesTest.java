package dev.twophase.testkit.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Diagnosis;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guide says what becomes of a sink that breaks a rule. */
class RulesTest {

  @Test
  void theGuideHasARowForEachRule() throws IOException {
    String guide = Files.readString(Path.of("../docs/prove-your-sink.md"));
    Rules.all()
        .forEach((rule, text) -> assertThat(guide).contains("| " + rule + " | " + text + " | "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=1; settle",
        "2pk/1 p=2; s*.in 1; settle",
        "2pk/1 p=1; s0.in 1 !write#1=E; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; abt 1; s0.nab 1; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; ext expire; s0.ntf 1; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; ext down; s0.ntf 1; ext up; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.fail; settle",
        "2pk/1 p=2; s*.in 1; s*.bar 1; done 1; s*.kill; up 1,p=1; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; s0.kill; up none; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.lose; up 1; s0@0.in 1; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=D; settle",
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.eoi; settle"
      })
  void theGuideNamesEachVerdictWithWhichAMessageNamesARule(String line) throws IOException {
    String guide = Files.readString(Path.of("../docs/prove-your-sink.md"));
    for (Verdict verdict : Verdict.values()) {
      for (boolean declared : new boolean[] {false, true}) {
        Anomaly anomaly = new Anomaly(verdict, List.of(), "after settling", "found", declared);
        for (String rule :
            new Diagnosis(Schedule.parse(line), List.of(anomaly)).rulesBrokenBy(anomaly)) {
          assertThat(guide)
              .as("the row of %s, which messages name with %s", rule, verdict)
              .containsPattern("\\| " + rule + " \\| [^|]+ \\| [^|]*" + inTheGuide(verdict));
        }
      }
    }
  }

  /** A copy that came back is a duplicate of a kind that can be told only with its attempt. */
  private static String inTheGuide(Verdict verdict) {
    return verdict == Verdict.RESURRECTED ? "(RESURRECTED|DUPLICATE)" : verdict.name();
  }
}
