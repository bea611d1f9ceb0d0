package dev.twophase.testkit.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The guide says what becomes of a sink that breaks a rule. */
class RulesTest {

  @Test
  void theGuideHasARowForEachRule() throws IOException {
    String guide = Files.readString(Path.of("../docs/prove-your-sink.md"));
    Rules.all()
        .forEach((rule, text) -> assertThat(guide).contains("| " + rule + " | " + text + " | "));
  }
}
