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
      DatabaseExtension.of(MariaDbServer::create);

  @TempDir Path logs;

  private String logOf(String url, String user) throws Exception {
    Path log = logs.resolve("log");
    ProcessBuilder job =
        JobProcess.of(
                FailingJob.class,
                List.of(
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                    "-Dorg.slf4j.simpleLogger.log.dev.twophase=trace"),
                List.of(url, user))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    job.environment().put(FailingJob.VARIABLE, SECRET);
    Process process = job.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    String logged = Files.readString(log);
    assertThat(logged).contains("The job failed").contains("TRACE org.apache.flink");
    return logged;
  }

  private static void createFullTable(DatabaseServer server) throws Exception {
    Sql.execute(
        server,
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, item VARCHAR(100))",
        "INSERT INTO orders VALUES (7, 'there')");
  }

  @Test
  void S2_notWhenADriverQuotesThePassword() throws Exception {
    assertThat(logOf(QuotingDriver.URL, "app")).contains("cannot log in").doesNotContain(SECRET);
  }

  @Test
  void S2_notWhenTheDatabaseIsAway() throws Exception {
    assertThat(logOf("jdbc:postgresql://127.0.0.1:1/shop", "app"))
        .contains("does not reach its database")
        .doesNotContain(SECRET);
  }

  @Test
  void S2_notWhenPostgresRefusesARow() throws Exception {
    createFullTable(POSTGRES.server());
    assertThat(logOf(POSTGRES.server().url(), POSTGRES.server().user()))
        .contains("refuses row")
        .contains("org.postgresql")
        .doesNotContain(SECRET);
  }

  @Test
  void S2_notWhenMariaDbRefusesARow() throws Exception {
    createFullTable(MARIADB.server());
    assertThat(logOf(MARIADB.server().url(), MARIADB.server().user()))
        .contains("refuses row")
        .contains("org.mariadb")
        .doesNotContain(SECRET);
  }
}
