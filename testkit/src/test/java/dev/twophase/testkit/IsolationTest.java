package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionalConnector;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.testkit.internal.explore.FreshClasses;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.isolated.BesideItsStore;
import dev.twophase.testkit.isolated.HandsOverInStaticFields;
import dev.twophase.testkit.isolated.IsItsOwnStore;
import dev.twophase.testkit.isolated.Shelf;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What attempts hand to each other in static fields does not reach another process. */
class IsolationTest {

  private static final String RESTORED =
      "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.kill; up 1; settle";

  private enum Form {
    CONNECTOR((setup, connector) -> connector),
    SINK_V2(
        (setup, connector) -> TransactionalSink.of(setup.sinkName(), connector, setup.options()));

    final BiFunction<SinkSetup, TransactionalConnector<TestRecord, ?, ?>, Object> sink;

    Form(BiFunction<SinkSetup, TransactionalConnector<TestRecord, ?, ?>, Object> sink) {
      this.sink = sink;
    }
  }

  private record StaticSink(Form form, List<String> isolatedClasses) implements OnMemoryStore {

    @Override
    public Object sink(SinkSetup setup) {
      return form.sink.apply(setup, new HandsOverInStaticFields(setup.namespace()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void W2_aStaticHandOffIsLossOnceAttemptsLoadTheirOwnClasses(Form form) {
    assertThat(replay(form, List.of())).isEqualTo(Verdict.PASS);
    assertThat(replay(form, List.of("dev.twophase.testkit.isolated."))).isEqualTo(Verdict.LOSS);
  }

  @ParameterizedTest
  @EnumSource
  void W2_aStaticHandOffIsFoundWithoutADeclaration(Form form) {
    FreshClasses.Result result =
        freshClasses(new StaticSink(form, List.of()), Duration.ofMinutes(1));
    assertThat(result.finding()).isNotNull();
    assertThat(result.finding().verdict()).isEqualTo(Verdict.LOSS);
    assertThat(result.finding().why())
        .contains("static field", "isolatedClasses() return", "HandsOverInStaticFields");
  }

  /** Neither its package nor its class alone can be loaded anew: with the one nothing is seen. */
  @Test
  void W2_aStaticHandOffIsFoundBesideAStoreThatNoOtherPackageMayUse() {
    OnMemoryStore sink = reading(BesideItsStore::new, Shelf::in);
    assertThat(SinkKit.of(sink).replay(RESTORED).verdict()).isEqualTo(Verdict.PASS);

    FreshClasses.Result result = freshClasses(sink, Duration.ofMillis(200));
    assertThat(result.finding()).as(result.described()).isNotNull();
    assertThat(result.finding().describe()).contains("LOSS", "2pk/1 p=1; s0.in 1; settle");
  }

  @Test
  void aSinkWhoseClassHoldsWhatStandsForTheExternalSystemIsNotAccused() {
    FreshClasses.Result result =
        freshClasses(reading(IsItsOwnStore::new, IsItsOwnStore::in), Duration.ofMillis(200));
    assertThat(result.finding()).isNull();
    assertThat(result.described()).contains("not tried", "IsItsOwnStore", "(LOSS)");
  }

  private static OnMemoryStore reading(
      Function<String, MemoryConnector> sink, Function<String, List<TestRecord>> reader) {
    return new OnMemoryStore() {
      @Override
      public Object sink(SinkSetup setup) {
        return sink.apply(setup.namespace());
      }

      @Override
      public List<TestRecord> readVisible(String namespace) {
        return reader.apply(namespace);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "dev.twophase.testkit.isolated.HandsOver", "isolated"})
  void aNameThatNothingHasIsRefused(String name) {
    assertThat(refusal(name)).contains("returned \"" + name + "\"", "no class or package");
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "java.util.", "org.apache.flink", "dev.twophase.testkit"})
  void whatAttemptsShareWithTheKitIsRefused(String name) {
    assertThat(refusal(name)).contains("returned \"" + name + "\"", "name the sink's own classes");
  }

  private static String refusal(String name) {
    Judgement judgement =
        SinkKit.of(new StaticSink(Form.SINK_V2, List.of(name))).replay("2pk/1 p=1; settle");
    assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    return judgement.why();
  }

  @Test
  void aSinkThatHandsNothingOverIsNotAccused() {
    OnMemoryStore correct = setup -> new MemoryConnector(setup.namespace());
    FreshClasses.Result result = freshClasses(correct, Duration.ofMillis(200));
    assertThat(result.finding()).isNull();
    assertThat(result.repeated()).isPositive();
    assertThat(result.described()).contains("loaded anew by each attempt, none accused");
  }

  private static FreshClasses.Result freshClasses(OnMemoryStore sink, Duration budget) {
    Bound bound = Bound.oneFault().withCheckpoints(1);
    return new FreshClasses(new Subject<>(sink), bound).repeat(budget);
  }

  private static Verdict replay(Form form, List<String> isolated) {
    return SinkKit.of(new StaticSink(form, isolated)).replay(RESTORED).verdict();
  }
}
