package dev.twophase.jdbc.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.table.QuotingDriver;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that fail, with all that they, Flink and the drivers log at their lowest levels. */
@Timeout(180)
class LoggedSecretsTest {

  private static final String SECRET = "hunter2-hunter2";

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> POSTGRES =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> MARIADB =
      DatabaseExtension.of(() -> MariaDbServer.create("--debug-no-sync"));

  /** What was said of each job. */
  private static List<String> logs;

  /** All in one JVM, since most of the time goes into its start. */
  @BeforeAll
  static void runJobs(@TempDir Path directory) throws Exception {
    createFullTable(POSTGRES.server());
    createFullTable(MARIADB.server());
    Path log = directory.resolve("log");
    ProcessBuilder jobs =
        JobProcess.of(
                FailingJob.class,
                List.of(
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                    "-Dorg.slf4j.simpleLogger.log.dev.twophase=trace"),
                List.of(
                    QuotingDriver.URL,
                    "app",
                    "jdbc:postgresql://127.0.0.1:1/shop",
                    "app",
                    POSTGRES.server().url(),
                    POSTGRES.server().user(),
                    MARIADB.server().url(),
                    MARIADB.server().user()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    jobs.environment().put(FailingJob.VARIABLE, SECRET);
    Process process = jobs.start();
    assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
    logs = List.of(Files.readString(log).split(FailingJob.FAILED));
  }

  /**
   * Threads of a job may be late, so the password is looked for in what was said after it, too.
   *
   * @param number of the job
   */
  private static AbstractStringAssert<?> assertLogOf(int number) {
    assertThat(logs).as("what was said of the four, and after the last").hasSize(5);
    return assertThat(logs.get(number))
        .contains("TRACE org.apache.flink")
        .doesNotContain(SECRET)
        .satisfies(log -> assertThat(logs.get(number + 1)).doesNotContain(SECRET));
  }

  private static void createFullTable(DatabaseServer server) throws Exception {
    Sql.execute(
        server,
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item VARCHAR(100))",
        "INSERT INTO orders VALUES (7, 'there')");
  }

  @Test
  void S2_notWhenADriverQuotesThePassword() {
    assertLogOf(0).contains("cannot log in");
  }

  @Test
  void S2_notWhenTheDatabaseIsAway() {
    assertLogOf(1).contains("does not reach its database");
  }

  @Test
  void S2_notWhenPostgresRefusesARow() {
    assertLogOf(2).contains("refuses row").contains("org.postgresql");
  }

  @Test
  void S2_notWhenMariaDbRefusesARow() {
    assertLogOf(3).contains("refuses row").contains("org.mariadb");
  }
}
