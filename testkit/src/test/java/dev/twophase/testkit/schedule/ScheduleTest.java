package dev.twophase.testkit.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=2; s7.in 1; settle",
        "2pk/1 p=2; s0.in 1 !s2:commit#1=A; settle",
        "2pk/1 p=1; s1.in 1; up none,p=2; settle"
      })
  void aSubtaskThatTheJobDoesNotHaveIsRefused(String line) {
    assertThatThrownBy(() -> Schedule.parse(line))
        .isInstanceOf(ScheduleSyntaxException.class)
        .hasMessageContaining("names subtask");
  }

  @Test
  void subtasksOfBeforeAndAfterARescaleCanBeAddressed() {
    String line = "2pk/1 p=2; s1.lose; up none,p=4; s3.in 1; up none,p=1; s1@0.in 1; settle";

    assertThat(Schedule.parse(line)).hasToString(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=A; s0.kill; s0.up 1;"
            + " settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail;"
            + " up 2; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; doubt 1; s0.nab 1; s0.kill; up 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4 !s1:commit#1=K; s*.kill;"
            + " up 1,p=1; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.lose; s0.up 1; s0@0.ntf 1; settle",
        "2pk/1 p=1 src=rebal; s0.in 1; s0.eoi; abt 3; sav a; stop b; stop c,drain; clk 500;"
            + " ext down; ext up; ext expire; s0.lose; up a; up none,p=2; settle",
        "2pk/1 p=2; s*.bar 1 !s0:preCommit#1=E !s1:Client.send#12=N; up 1 !s0:unfinished#1=U"
            + " !s1:open#1=D; settle",
        "2pk/1 p=3"
      })
  void everyLineReadsBackAsItself(String line) {
    assertThat(Schedule.parse(line)).hasToString(line);
    assertThat(Schedule.parse(Schedule.parse(line).toString())).isEqualTo(Schedule.parse(line));
  }

  @Test
  void partsEndUpWhereTheyBelong() {
    Schedule schedule = Schedule.parse("2pk/1 p=2 src=fwd; s0@3.ntf 7 !commit#2=A; s1.up 7");

    assertThat(schedule.parallelism()).isEqualTo(2);
    assertThat(schedule.source()).isEqualTo(Source.FORWARD);
    assertThat(schedule.steps())
        .containsExactly(
            Step.of(Verb.NTF, 0, 7)
                .at(3)
                .with(List.of(new Fault(Step.SAME, "commit", 2, FaultKind.APPLIED))),
            Step.of(Verb.UP, 1, 7));
  }

  @Test
  void spacesAndTheDefaultSourceAreNormalised() {
    assertThat(Schedule.parse("  2pk/1  p=2 src=keyed ;s*.in 2;  settle "))
        .hasToString("2pk/1 p=2; s*.in 2; settle");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2pk/2 p=1                    | A schedule begins with '2pk/1 p=N'",
        "2pk/1 p=0; settle            | Parallelism must be at least 1",
        "2pk/1 p=99999999; settle     | p=99999999 is too large: use at most 1000",
        "2pk/1 p=1; up 1,p=1001       | p=1001 is too large",
        "ATest: 2pk/1 p=1; settle     | leave out 'ATest: '",
        "2pk/1 p=1; settle;           | Leave out the ';' at the end",
        "2pk/1 p=1 src=x; settle      | use src=keyed, src=fwd or src=rebal",
        "2pk/1 p=1; s0.in 1; jump     | Step 2 'jump': 'jump' is no verb: use one of in, bar",
        "2pk/1 p=1; s0.bar            | 'bar' takes a number, which is missing",
        "2pk/1 p=1; s0.bar x          | 'bar' takes a number, not 'x'",
        "2pk/1 p=1; s0.in 99999999999 | 'in' takes at most 1000000 records, not '99999999999'",
        "2pk/1 p=1; s0.bar 0          | 'bar' takes a number above 0",
        "2pk/1 p=1; bar 1             | 'bar' needs a subtask, such as s0.bar",
        "2pk/1 p=1; s0.done 1         | 'done' takes no subtask",
        "2pk/1 p=1; settle 3          | 'settle' takes no argument, not '3'",
        "2pk/1 p=1; ext off           | 'ext' takes down, up, expire or neighbour, not 'off'",
        "2pk/1 p=1; up 1,p=0          | a parallelism above 0",
        "2pk/1 p=1; up 0              | a checkpoint above 0",
        "2pk/1 p=2; s0.up 1           | only src=fwd allows",
        "2pk/1 p=2; s*@1.ntf 1        | '@1' needs one subtask",
        "2pk/1 p=2; s*.ntf 1 !commit#1=A   | must say whose call",
        "2pk/1 p=2; s0.ntf 1 !commit=A     | '!commit=A' is no fault",
        "2pk/1 p=2; s0.ntf 1 !commit#0=A   | Occurrences count from 1",
        "2pk/1 p=2; s0.ntf 1 !commit#1=X   | 'X' is no kind of fault: use one of E, A, N, U, K, D",
        "2pk/1 p=2; s0.ntf 99999999999999999999 | is too large",
      })
  void mistakesAreNamed(String line, String complaint) {
    assertThatThrownBy(() -> Schedule.parse(line))
        .isInstanceOf(ScheduleSyntaxException.class)
        .hasMessageContaining(complaint);
  }
}
