package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.SinkKit;
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
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "XTest: ", "XTest : ", "acme.XTest: ", "XTest "})
  void asksTheClassThatIsNamed(String before) {
    System.setProperty(SinkKit.REPLAY_PROPERTY, before + LINE);

    assertThat(ReplayLine.askedOf("acme.XTest")).contains(LINE);
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
