package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.schedule.Schedule;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ReplayLineTest {

  private static final String LINE = "2pk/1 p=1; settle";

  @AfterEach
  void clear() {
    System.clearProperty(SinkKit.REPLAY_PROPERTY);
    System.clearProperty("twophase.isolated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "XTest: ", "XTest : ", "acme.XTest: ", "XTest "})
  void asksTheClassThatIsNamed(String before) {
    System.setProperty(SinkKit.REPLAY_PROPERTY, before + LINE);

    assertThat(ReplayLine.askedOf("acme.XTest")).contains(LINE);
  }

  @Test
  void saysWhatEachAttemptIsToLoadAnew() {
    Schedule schedule = Schedule.parse(LINE);
    assertThat(ReplayLine.command("acme.XTest", schedule, List.of("acme.", "other.Sink")))
        .endsWith("='XTest: " + LINE + "' -Dtwophase.isolated='acme.,other.Sink'");
    assertThat(ReplayLine.isolated()).isEmpty();

    System.setProperty("twophase.isolated", "acme.,other.Sink");
    assertThat(ReplayLine.isolated()).containsExactly("acme.", "other.Sink");
  }

  @Test
  void asksNoOtherClass() {
    System.setProperty(SinkKit.REPLAY_PROPERTY, "XTset: " + LINE);

    assertThat(ReplayLine.askedOf("acme.XTest")).isEmpty();
  }

  @Test
  void aLineThatIsNoneIsTakenForOneSoThatItsMistakeIsTold() {
    System.setProperty(SinkKit.REPLAY_PROPERTY, "2pk 1");

    assertThat(ReplayLine.askedOf("acme.XTest")).contains("2pk 1");
  }
}
