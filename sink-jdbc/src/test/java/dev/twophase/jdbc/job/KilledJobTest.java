package dev.twophase.jdbc.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Sql;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job in a JVM of its own, which is killed and restored from its last checkpoint. Its table has
 * no key, so that a row written twice is there twice.
 */
@Timeout(600)
@Tag("nightly")
class KilledJobTest {

  private static final int KILLS = 2;
  private static final long QUICK = 5_000;

  @TempDir Path checkpoints;
  @TempDir Path logs;

  @Test
  void R1_byLedgerOnPostgresEachRowIsThereOnce() throws Exception {
    assertEachRowIsThereOnce(PostgresServer.builder().build(), CommitMode.LEDGER);
  }

  @Test
  void R1_byXaOnPostgresEachRowIsThereOnce() throws Exception {
    PostgresServer server = PostgresServer.builder().build();
    assertEachRowIsThereOnce(server, CommitMode.XA);
  }

  @Test
  void R1_byLedgerOnMariaDbEachRowIsThereOnce() throws Exception {
    assertEachRowIsThereOnce(MariaDbServer.create(), CommitMode.LEDGER);
  }

  private void assertEachRowIsThereOnce(DatabaseServer made, CommitMode mode) throws Exception {
    try (DatabaseServer server = made) {
      server.start();
      Sql.execute(server, "CREATE TABLE orders (id BIGINT, item TEXT, amount DOUBLE PRECISION)");
      for (int kill = 0; kill < KILLS; kill++) {
        int before = numbers(server).size();
        Process job = start(server, mode, before + QUICK, "run-" + kill);
        Awaitility.await()
            .atMost(Duration.ofSeconds(90))
            .until(() -> !job.isAlive() || numbers(server).size() > before + QUICK / 2);
        assertThat(job.isAlive()).as(() -> logs.toString()).isTrue();
        job.destroyForcibly().waitFor();
      }
      assertThat(numbers(server)).doesNotHaveDuplicates();

      Process last = start(server, mode, Long.MAX_VALUE, "last");
      assertThat(last.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(last.exitValue()).as(() -> log("last")).isZero();
      assertThat(numbers(server))
          .isEqualTo(LongStream.rangeClosed(1, KilledJob.RECORDS).boxed().toList());
    }
  }

  private Process start(DatabaseServer server, CommitMode mode, long quickUpTo, String log)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(server.url(), server.user(), mode.name(), checkpoints.toString()));
    arguments.add(Long.toString(quickUpTo));
    lastCheckpoint().ifPresent(path -> arguments.add(path.toString()));
    return JobProcess.of(KilledJob.class, List.of(), arguments)
        .redirectErrorStream(true)
        .redirectOutput(logs.resolve(log).toFile())
        .start();
  }

  private String log(String name) {
    try {
      return Files.readString(logs.resolve(name));
    } catch (IOException none) {
      return none.toString();
    }
  }

  /** Numbers go on after a restore; only a checkpoint that is complete has metadata. */
  private Optional<Path> lastCheckpoint() throws IOException {
    try (Stream<Path> all = Files.walk(checkpoints, 3)) {
      return all.filter(path -> path.endsWith("_metadata"))
          .map(Path::getParent)
          .max(
              Comparator.comparingLong(
                  path -> Long.parseLong(path.getFileName().toString().substring(4))));
    }
  }

  private static List<Long> numbers(DatabaseServer server) throws Exception {
    return Sql.column(server, "SELECT id FROM orders ORDER BY id").stream()
        .map(Long::valueOf)
        .toList();
  }
}
