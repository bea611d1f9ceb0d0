package dev.twophase.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ways of the guide "Coming from TwoPhaseCommitSinkFunction", walked with real jobs. */
@Timeout(120)
class MigrationTest {

  private static final int ORDERS = 5_000;

  @TempDir private Path savepoints;
  @TempDir private Path directory;
  private Staging staging;

  @BeforeEach
  void stage() {
    staging = new LocalStaging(directory.toString());
  }

  private static JobClient start(
      Path restoreFrom, boolean dropUnclaimed, Consumer<DataStream<String>> sink) throws Exception {
    Configuration settings = new Configuration();
    if (restoreFrom != null) {
      settings.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom.toUri().toString());
      settings.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, dropUnclaimed);
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(settings);
    environment.setParallelism(1);
    environment.enableCheckpointing(20);
    DataStream<String> orders =
        environment
            .fromSequence(1, ORDERS)
            .uid("numbers")
            .map(
                number -> {
                  LockSupport.parkNanos(20_000);
                  return "order " + number;
                })
            .returns(String.class)
            .uid("orders");
    sink.accept(orders);
    return environment.executeAsync();
  }

  private Path stopWithSavepoint(JobClient job) throws Exception {
    int before = staging.visible().size();
    while (staging.visible().size() < before + 3) {
      LockSupport.parkNanos(1_000_000);
    }
    String path =
        job.stopWithSavepoint(false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    return Path.of(URI.create(path));
  }

  private static void finish(JobClient job) throws Exception {
    job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
  }

  private void assertEachOrderOnce() throws IOException {
    List<String> orders = new ArrayList<>();
    for (String file : staging.visible()) {
      orders.addAll(Files.readAllLines(directory.resolve(file + ".txt")));
    }
    assertThat(orders)
        .hasSize(ORDERS)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, ORDERS).mapToObj(number -> "order " + number).toList());
    assertThat(staging.staged()).isEmpty();
  }

  @Test
  void oneLineIsAllThatChanges() throws IOException {
    Path sources = Path.of("src/main/java/dev/twophase/examples/migration");
    List<String> before = code(sources.resolve("OrderSink.java"), "OrderSink");
    List<String> after = code(sources.resolve("HardenedOrderSink.java"), "HardenedOrderSink");
    assertThat(after).hasSameSizeAs(before);
    List<String> changed = new ArrayList<>();
    for (int line = 0; line < before.size(); line++) {
      if (!before.get(line).equals(after.get(line))) {
        changed.add(after.get(line));
      }
    }
    assertThat(changed)
        .containsExactly(
            "public class NAME extends HardenedTwoPhaseCommitSinkFunction<String, String, Void> {");
  }

  private static List<String> code(Path source, String name) throws IOException {
    List<String> lines = Files.readAllLines(source);
    int start =
        lines.indexOf(
            lines.stream()
                .filter(line -> line.startsWith("public class"))
                .findFirst()
                .orElseThrow());
    return lines.subList(start, lines.size()).stream()
        .filter(line -> !line.startsWith("//"))
        .map(line -> line.replace(name + " ", "NAME ").replace(name + "(", "NAME("))
        .toList();
  }

  @Test
  void S1_oldStateIsReadAfterTheOneLineChange() throws Exception {
    Path savepoint =
        stopWithSavepoint(
            start(null, false, orders -> orders.addSink(new OrderSink(staging)).uid("sink")));
    finish(
        start(
            savepoint,
            false,
            orders -> orders.addSink(new HardenedOrderSink(staging)).uid("sink")));
    assertEachOrderOnce();
  }

  @Test
  void crossingToTheConnectorThroughSinkV2() throws Exception {
    Path savepoint =
        stopWithSavepoint(
            start(null, false, orders -> orders.addSink(new OrderSink(staging)).uid("sink")));
    assertThat(staging.staged()).as("nothing may be uncommitted").isEmpty();
    finish(
        start(
            savepoint,
            true,
            orders ->
                // tag::sinkV2[]
                orders
                    .sinkTo(TransactionalSink.of("orders", new OrderConnector(staging)))
                    .uid("orders-sink")
            // end::sinkV2[]
            ));
    assertEachOrderOnce();
  }

  @Test
  void crossingToTheConnectorThroughTheFunction() throws Exception {
    Path savepoint =
        stopWithSavepoint(
            start(
                null, false, orders -> orders.addSink(new HardenedOrderSink(staging)).uid("sink")));
    assertThat(staging.staged()).as("nothing may be uncommitted").isEmpty();
    finish(
        start(
            savepoint,
            true,
            orders ->
                // tag::function[]
                TransactionalSinkFunction.addTo(
                    orders,
                    "orders-sink",
                    TransactionalSinkFunction.of("orders", new OrderConnector(staging)))
            // end::function[]
            ));
    assertEachOrderOnce();
  }
}
