package dev.twophase.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * flink-connector-jdbc's exactly-once sink on PostgreSQL. Nothing kills it, so it need not sync.
 */
class JdbcSinkTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  @Test
  void duplicatesWhatItCommitsBeforeTheCheckpointIsComplete() {
    Exploration explored =
        ShownSchedules.of(
            "JdbcSink, exactly once, PostgreSQL",
            new JdbcSinkUnderTest(DATABASE.server()),
            Bound.oneFault().withBudget(Duration.ofMinutes(3)),
            finding -> finding.verdict() == Verdict.DUPLICATE);
    assertThat(explored.findings()).extracting(Judgement::verdict).contains(Verdict.DUPLICATE);
  }
}
