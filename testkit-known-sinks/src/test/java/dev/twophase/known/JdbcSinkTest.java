package dev.twophase.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import dev.twophase.testkit.schedule.Verb;
import java.sql.SQLException;
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
  void duplicatesWhatItCommitsBeforeTheCheckpointIsComplete() throws SQLException {
    Exploration explored =
        ShownSchedules.of(
            "JdbcSink, exactly once, PostgreSQL",
            new JdbcSinkUnderTest(DATABASE.server()),
            Bound.oneFault().withParallelism(1).withBudget(Duration.ofMinutes(3)),
            JdbcSinkTest::isDuplicateWithoutZombie);
    assertThat(explored.findings()).anyMatch(JdbcSinkTest::isDuplicateWithoutZombie);
  }

  /** A zombie would be an excuse. */
  private static boolean isDuplicateWithoutZombie(Judgement finding) {
    return finding.verdict() == Verdict.DUPLICATE
        && finding.schedule().steps().stream().noneMatch(step -> step.verb() == Verb.LOSE);
  }
}
