package dev.twophase.testkit.internal.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Schedule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrintableTest {

  @Test
  void whatAConsoleWouldNotShowAsItIsIsEscaped() {
    assertThat(Printable.of("a\u0000b\u202ec\u001b[1m\n\tä漢"))
        .isEqualTo("a\\u0000b\\u202ec\\u001b[1m\n\tä漢");
  }

  @Test
  void aMessageIsNoLongerThanAPersonReads() {
    assertThat(Printable.shortened("x".repeat(100_000)))
        .hasSizeLessThan(5_000)
        .endsWith("x … and 96000 characters more");
    assertThat(Printable.shortened("short")).isEqualTo("short");
  }

  @Test
  void messagesOfFailuresAreEscaped() {
    Judgement judgement =
        new Judgement(
            Schedule.parse("2pk/1 p=1; settle"),
            Verdict.LOSS,
            Set.of(Verdict.LOSS),
            List.of("W1"),
            List.of(new TestRecord(1, "k\u0000", 0)),
            "gone\u202e");
    assertThat(judgement.describe()).contains("k\\u0000", "gone\\u202e").doesNotContain("\u0000");
  }
}
