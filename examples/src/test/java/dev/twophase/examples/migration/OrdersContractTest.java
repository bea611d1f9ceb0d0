package dev.twophase.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kit says of the sinks of the guide. */
class OrdersContractTest {

  @TempDir private Path root;

  private SinkKit<String> kit(BiFunction<SinkSetup, Staging, Object> maker) {
    return SinkKit.of(new OrdersUnderTest(root, maker));
  }

  @Test
  void R2_theOldClassLeavesBehindWhatACrashedAttemptBegan() {
    // tag::replay[]
    SinkKit<String> kit = kit((setup, staging) -> new OrderSink(staging));
    Judgement judgement = kit.replay("2pk/1 p=1; s0.in 1; s0.kill; settle");
    // end::replay[]
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.LEAK);
    assertThat(judgement.rules()).contains("R2");
  }

  @Test
  void R2_oneChangedLineDoesNotChangeThat() {
    Judgement judgement =
        kit((setup, staging) -> new HardenedOrderSink(staging))
            .replay("2pk/1 p=1; s0.in 1; s0.kill; settle");
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.LEAK);
  }

  @Test
  void hardenedClassLosesAndDuplicatesNothing() {
    Exploration exploration =
        kit((setup, staging) -> new HardenedOrderSink(staging)).explore(bound());
    assertThat(exploration.findings())
        .as(exploration.describe())
        .extracting(Judgement::verdict)
        .isSubsetOf(Verdict.LEAK);
    assertThat(exploration.tooInconclusive()).as(exploration.describe()).isFalse();
  }

  static List<Named<BiFunction<SinkSetup, Staging, Object>>> connectors() {
    return Stream.<Named<BiFunction<SinkSetup, Staging, Object>>>of(
            Named.of("protocol", (setup, staging) -> new OrderConnector(staging)),
            Named.of(
                "Sink V2",
                (setup, staging) ->
                    TransactionalSink.of(
                        setup.sinkName(), new OrderConnector(staging), setup.options())),
            Named.of(
                "function",
                (setup, staging) ->
                    TransactionalSinkFunction.of(
                        setup.sinkName(), new OrderConnector(staging), setup.options())))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("connectors")
  void connectorPasses(BiFunction<SinkSetup, Staging, Object> maker) {
    Exploration exploration = kit(maker).explore(bound());
    assertThat(exploration.findings()).as(exploration.describe()).isEmpty();
    assertThat(exploration.passed()).as(exploration.describe()).isTrue();
    assertThat(exploration.distinct()).as(exploration.describe()).isPositive();
  }

  /** Each schedule syncs files, so the build runs as many as fit into some seconds. */
  private static Bound bound() {
    return Bound.oneFault().withParallelism(1).withBudget(Duration.ofSeconds(8));
  }
}
