package dev.twophase.jdbc.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.jdbc.OrdersOnPostgres;
import dev.twophase.jdbc.Sql;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A real job, stopped and restored with another parallelism, its database killed under way. */
@Timeout(180)
class RescaledJobTest {

  private static final int RECORDS = 60_000;

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().build());

  @TempDir Path savepoints;

  private final PostgresServer server = DATABASE.server();

  @Test
  void R3_twoThenFourThenOneSubtaskWriteEachRowOnceThoughTheDatabaseIsKilled() throws Exception {
    OrdersOnPostgres.create(server);
    Pace.quickUpTo(12_000);
    JobClient two = start(2, null);
    awaitRows(3_000);
    server.kill();
    server.start();
    awaitRows(9_000);
    Path first = stop(two);
    Pace.quickUpTo(30_000);
    JobClient four = start(4, first);
    awaitRows(20_000);
    Path second = stop(four);
    Pace.quick();

    start(1, second).getJobExecutionResult().get(120, TimeUnit.SECONDS);

    assertThat(OrdersOnPostgres.count(server)).isEqualTo(RECORDS);
    assertThat(Sql.number(server, "SELECT sum(id) FROM orders"))
        .isEqualTo(RECORDS * (RECORDS + 1L) / 2);
  }

  private void awaitRows(long rows) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> OrdersOnPostgres.count(server) >= rows);
  }

  /** Once all its tasks run again: a savepoint cannot be taken in the middle of a restart. */
  private Path stop(JobClient job) {
    AtomicReference<Path> savepoint = new AtomicReference<>();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreException(ExecutionException.class)
        .until(
            () -> {
              String path =
                  job.stopWithSavepoint(
                          false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                      .get(60, TimeUnit.SECONDS);
              savepoint.set(Path.of(URI.create(path)));
              return true;
            });
    return savepoint.get();
  }

  private JobClient start(int parallelism, Path restoreFrom) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(50));
    return OrdersJob.start(
        configuration,
        parallelism,
        restoreFrom,
        RECORDS,
        Pace::order,
        OrdersOnPostgres.sink(server.port())
            .options(SinkOptions.defaults().withCommitTimeout(Duration.ofSeconds(20))));
  }
}
