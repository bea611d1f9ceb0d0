package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionalConnector;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.testkit.internal.explore.FreshClasses;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.isolated.HandsOverInStaticFields;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
