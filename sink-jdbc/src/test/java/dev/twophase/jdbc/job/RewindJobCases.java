package dev.twophase.jdbc.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.jdbc.DatabaseServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.util.ExceptionUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each line of the guide's table on going back, cloning and starting anew, in real jobs. The table
 * has no key, so that a row written twice is there twice.
 */
@Timeout(240)
abstract class RewindJobCases {

  private static final long RECORDS = 6_000;

  /** So many more orders come quickly, and the rest takes minutes. */
  private static final long QUICK = 600;

  @TempDir Path savepoints;

  private final DatabaseServer server;
  private final CommitMode mode;

  RewindJobCases(DatabaseServer server, CommitMode mode) {
    this.server = server;
    this.mode = mode;
  }

  /** Of two clones beside each other, the one that did not finish: whether it failed as told. */
  abstract boolean isExpected(Throwable failureOfAClone);

  @BeforeEach
  void createTables() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS orders, latest, elsewhere, elsewhere_staging,"
            + " twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE orders (id BIGINT, item TEXT, amount DOUBLE PRECISION)",
        "CREATE TABLE latest (id BIGINT PRIMARY KEY, item TEXT, amount DOUBLE PRECISION)");
  }

  @Test
  void R6_eachWayBackHasItsResult() throws Exception {
    Path older = runUntilStopped(2, null, inserts());
    long atOlder = requireWholePrefix();
    Path newer = runUntilStopped(2, older, inserts());
    long atNewer = requireWholePrefix();
    assertThat(atNewer).isGreaterThan(atOlder);

    assertRefused(older);
    assertRefused(null);
    assertRefusedWithAnotherLedger(newer);
    assertThat(requireWholePrefix()).as("a refusal changes nothing").isEqualTo(atNewer);

    assertOneOfTwoClonesFinishes(newer);
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, RECORDS).boxed().toList());
    assertRefused(newer);

    finish(submit(2, older, RewindPolicy.ACCEPT, inserts()));
    assertThat(numbers()).isEqualTo(twiceAfter(atOlder));
  }

  @Test
  void R6_anAcceptedRewindOrRestartChangesNothingByUpsert() throws Exception {
    TransactionalJdbcSink<Order> upserts = inserts().name("upserts").upsertInto("latest");
    Path older = runUntilStopped(1, null, upserts);
    finish(submit(1, older, RewindPolicy.FAIL, upserts));

    finish(submit(1, older, RewindPolicy.ACCEPT, upserts));
    assertUpserted();
    finish(submit(1, null, RewindPolicy.ACCEPT, upserts));
    assertUpserted();
  }

  private void assertUpserted() throws Exception {
    assertThat(Sql.column(server, "SELECT CONCAT(id, item) FROM latest ORDER BY id"))
        .isEqualTo(
            LongStream.rangeClosed(1, RECORDS).mapToObj(id -> id + Order.of(id).item()).toList());
  }

  /** Beside each other, from where both may start; the one that commits second must stop. */
  private void assertOneOfTwoClonesFinishes(Path from) throws Exception {
    List<JobClient> clones =
        List.of(
            submit(1, from, RewindPolicy.FAIL, inserts()),
            submit(1, from, RewindPolicy.FAIL, inserts()));
    int finished = 0;
    for (JobClient clone : clones) {
      try {
        finish(clone);
        finished++;
      } catch (ExecutionException refused) {
        assertThat(isExpected(refused))
            .as(() -> ExceptionUtils.stringifyException(refused))
            .isTrue();
      }
    }
    assertThat(finished).isEqualTo(1);
  }

  private void assertRefused(Path from) throws Exception {
    JobClient job = submit(2, from, RewindPolicy.FAIL, inserts());
    assertThatThrownBy(() -> finish(job))
        .satisfies(
            failure ->
                assertThat(ExceptionUtils.findThrowable(failure, RewindDetectedException.class))
                    .hasValueSatisfying(
                        refused ->
                            assertThat(refused)
                                .hasMessageContaining("Sink 'orders'")
                                .hasMessageContaining("RewindPolicy.ACCEPT")));
  }

  private void assertRefusedWithAnotherLedger(Path from) throws Exception {
    JobClient job = submit(2, from, RewindPolicy.FAIL, inserts().ledgerTable("elsewhere"));
    assertThatThrownBy(() -> finish(job))
        .satisfies(
            failure ->
                assertThat(ExceptionUtils.findThrowable(failure, CommitRefusedException.class))
                    .hasValueSatisfying(
                        refused ->
                            assertThat(refused)
                                .hasMessageContaining("prepared with another ledger")));
  }

  private TransactionalJdbcSink<Order> inserts() {
    return Sinks.orders(server.url(), server.user()).mode(mode);
  }

  /** Stops a job that has published something and has more to come. */
  private Path runUntilStopped(int parallelism, Path from, TransactionalJdbcSink<Order> sink)
      throws Exception {
    long before = committed();
    Pace.quickUpTo(before + QUICK);
    JobClient job = submit(parallelism, from, RewindPolicy.FAIL, sink);
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> committed() > before + 200);
    String savepoint =
        job.stopWithSavepoint(false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    Pace.quick();
    return Path.of(URI.create(savepoint));
  }

  private long committed() throws Exception {
    return Sql.number(
        server, "SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM latest)");
  }

  private JobClient submit(
      int parallelism, Path from, RewindPolicy policy, TransactionalJdbcSink<Order> sink)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    return OrdersJob.start(
        configuration,
        parallelism,
        from,
        RECORDS,
        Pace::order,
        sink.options(SinkOptions.defaults().withRewindPolicy(policy)));
  }

  private static void finish(JobClient job) throws Exception {
    job.getJobExecutionResult().get(120, TimeUnit.SECONDS);
  }

  private static List<Long> twiceAfter(long number) {
    return Stream.concat(
            LongStream.rangeClosed(1, RECORDS).boxed(),
            LongStream.rangeClosed(number + 1, RECORDS).boxed())
        .sorted()
        .toList();
  }

  /** The records from 1 up to some number, each once: that number. */
  private long requireWholePrefix() throws Exception {
    List<Long> numbers = numbers();
    assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, numbers.size()).boxed().toList());
    return numbers.size();
  }

  private List<Long> numbers() throws Exception {
    List<Long> numbers = new ArrayList<>();
    for (String id : Sql.column(server, "SELECT id FROM orders ORDER BY id")) {
      numbers.add(Long.valueOf(id));
    }
    return numbers;
  }
}
