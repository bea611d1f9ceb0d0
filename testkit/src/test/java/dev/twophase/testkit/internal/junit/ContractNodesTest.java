package dev.twophase.testkit.internal.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.Unfinished;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.isolated.BesideItsStore;
import dev.twophase.testkit.isolated.Shelf;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreWriteTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class ContractNodesTest {

  @Test
  void aSinkThatTheTierCannotRunIsSkippedWithTheReason() {
    List<DynamicNode> nodes =
        new ContractNodes(new ShufflingSink(), Bound.oneFault(), "shuffling", "ShufflingTest")
            .all()
            .toList();

    assertThat(nodes).hasSize(1);
    assertThatThrownBy(((DynamicTest) nodes.get(0)).getExecutable()::execute)
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("mixes subtasks")
        .hasMessageContaining("run this sink at p=1 or in the cluster tier");
  }

  @Test
  void whatASinkDoesNotDeclareIsSkippedWithTheReason() {
    MemorySink sink = new MemorySink(MemoryConnector::new);
    DynamicContainer capabilities =
        (DynamicContainer) new Capabilities(sink).node(List.of("ntf commit"), false);

    List<String> reasons =
        capabilities.getChildren().map(ContractNodesTest::reasonForSkipping).toList();

    assertThat(reasons)
        .containsExactly(
            "",
            "",
            "Assumption failed: leftBehind(namespace) is not overridden, so growth goes unchecked",
            "",
            "Assumption failed: the sink declares no policy for that: SinkClaims.withRewind",
            "",
            "Assumption failed: explorations may not let one move in: toleratesNeighbours() is"
                + " false",
            "Assumption failed: explorations may not take it down: externalEvents() does not name"
                + " DOWN",
            "Assumption failed: explorations may not let it: externalEvents() does not name"
                + " EXPIRE",
            "Assumption failed: the sink claims nothing of that kind: SinkClaims.withUnit",
            "Assumption failed: no record that was read had its attempt, so they are judged as"
                + " duplicates only: let input(...) and readVisible(...) keep"
                + " TestRecord.attempt()",
            "Assumption failed: explorations may not do so: additionalKinds() names neither",
            "Assumption failed: none passed a decorator, so faults came between Flink's calls of"
                + " the sink only: wrap the client with setup.faults()");
    assertThat(
            ((DynamicContainer) new Capabilities(sink).node(List.of("ntf Store.commit"), true))
                .getChildren()
                .map(ContractNodesTest::reasonForSkipping)
                .toList())
        .endsWith(reasons.get(reasons.size() - 2), "");
  }

  private static String reasonForSkipping(DynamicNode node) {
    try {
      ((DynamicTest) node).getExecutable().execute();
      return "";
    } catch (TestAbortedException skipped) {
      return skipped.getMessage();
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /** Its leak shows after many checkpoints: no schedule of one fault has as many. */
  @Test
  void R2_whatShowsInLongSchedulesOnlyFailsOnceIsShortenedAndCounted() {
    Explorations explored = explore(new Leaking(), Bound.oneFault().withParallelism(1));

    assertThat(explored.failures())
        .singleElement()
        .asString()
        .contains("LEAK")
        .satisfies(text -> assertThat(text.split("; done", -1)).hasSizeLessThan(6));
    assertThat(explored.skipped()).anyMatch(text -> text.contains("refuted already"));
    assertThat(explored.last()).contains(" 1 refuted");
  }

  @Test
  void longSchedulesAreNotRunBeyondTheBudget() {
    Explorations explored =
        explore(new Leaking(), Bound.oneFault().withBudget(Duration.ZERO).withParallelism(1));

    assertThat(explored.skipped()).filteredOn(text -> text.contains("is used up")).hasSize(3);
  }

  @Test
  void aTestThatCannotCountWhatIsLeftFailsOnce() {
    SinkUnderTest<?> sink =
        new Leaking() {
          @Override
          public OptionalLong leftBehind(String namespace) {
            throw new IllegalStateException("cannot count");
          }
        };
    Explorations explored = explore(sink, Bound.oneFault().withFaults(0).withParallelism(1));

    assertThat(explored.failures())
        .filteredOn(text -> text.contains("2pk/1"))
        .singleElement()
        .asString()
        .contains("leftBehind(...) failed");
    assertThat(explored.skipped()).filteredOn(text -> text.contains("cannot count")).hasSize(2);
  }

  @Test
  void W2_whatOnlyFreshClassesShowIsReportedLikeAllElse() {
    SinkUnderTest<?> sink =
        new OnMemoryStore() {
          @Override
          public Object sink(SinkSetup setup) {
            return new BesideItsStore(setup.namespace());
          }

          @Override
          public List<TestRecord> readVisible(String namespace) {
            return Shelf.in(namespace);
          }
        };
    Explorations explored = explore(sink, Bound.oneFault().withCheckpoints(1).withParallelism(1));

    assertThat(explored.failures())
        .singleElement()
        .asString()
        .contains(
            "LOSS",
            "replay:   mvn test -Dtest=ContractNodesTest",
            "-Dtwophase.isolated='dev.twophase.testkit.isolated.BesideItsStore,",
            "report:   /");
    assertThat(explored.last()).startsWith("refuted with fresh classes, otherwise exhausted");
    assertThat(explored.skipped()).anyMatch(text -> text.contains("the sink is refuted"));
  }

  @Test
  void whatIsNotCountedAfterEachCrashIsSkippedAndNotPassed() {
    SinkUnderTest<?> sink =
        new Leaking() {
          @Override
          public Object sink(SinkSetup setup) {
            return new MemoryConnector(setup.namespace());
          }

          @Override
          public OptionalLong leftBehind(String namespace) {
            return OptionalLong.empty();
          }
        };
    Explorations explored = explore(sink, Bound.oneFault().withFaults(0).withParallelism(1));

    assertThat(explored.skipped()).anyMatch(text -> text.contains("growth is unchecked"));
  }

  private record Explorations(List<String> failures, List<String> skipped, String last) {}

  private static Explorations explore(SinkUnderTest<?> sink, Bound bound) {
    List<String> failures = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    List<String> names = new ArrayList<>();
    new ContractNodes(sink, bound, "ContractNodes", "ContractNodesTest")
        .all()
        .forEach(
            node -> {
              names.add(node.getDisplayName());
              run(node, failures, skipped);
            });
    return new Explorations(failures, skipped, names.get(names.size() - 1));
  }

  private static void run(DynamicNode node, List<String> failures, List<String> skipped) {
    if (node instanceof DynamicContainer container) {
      container.getChildren().forEach(child -> run(child, failures, skipped));
      return;
    }
    try {
      ((DynamicTest) node).getExecutable().execute();
    } catch (TestAbortedException aborted) {
      skipped.add(String.valueOf(aborted.getMessage()));
    } catch (Throwable failure) {
      failures.add(String.valueOf(failure.getMessage()));
    }
  }

  /** What lingers is aborted, but for that of later checkpoints. */
  private static class Leaking implements OnMemoryStore {
    private static final class Forgetful extends MemoryConnector {
      private static final long serialVersionUID = 1L;
      private static final long LAST_LISTED = 8;

      Forgetful(String namespace) {
        super(namespace);
      }

      @Override
      public List<Unfinished> unfinished() {
        return super.unfinished().stream().filter(each -> each.id().since() < LAST_LISTED).toList();
      }
    }

    @Override
    public Object sink(SinkSetup setup) {
      return new Forgetful(setup.namespace());
    }

    @Override
    public Optional<Collection<?>> unfinished(String namespace) {
      return Optional.of(MemoryStore.of(namespace).unfinished());
    }

    @Override
    public OptionalLong leftBehind(String namespace) {
      return OptionalLong.of(MemoryStore.of(namespace).unfinished().size());
    }
  }

  private static final class ShufflingSink implements SinkUnderTest<String> {
    @Override
    public Object sink(SinkSetup setup) {
      return new Shuffling();
    }

    @Override
    public String input(TestRecord record) {
      return record.asText();
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      return List.of();
    }
  }

  private static final class Shuffling extends DiscardingSink<String>
      implements SupportsPreWriteTopology<String> {
    @Override
    public DataStream<String> addPreWriteTopology(DataStream<String> input) {
      return input.map(record -> record).returns(String.class).rebalance();
    }
  }
}
