package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the methods do wrong that a sink's author writes for the kit is never the sink's fault. */
@SuppressWarnings("NullAway") // null is what is tested
class MistakesOfTheTestTest {

  private static final String LINE = "2pk/1 p=2; s*.in 1; s*.bar 1; done 1; s*.ntf 1; settle";

  @Test
  void C8_aWedgeNamesTheRootOfWhatWentWrong() {
    assertThat(whyOf(new WrapsErrors("run")))
        .contains("IllegalStateException: wrapped, because of java.io.IOException: the root");
  }

  @Test
  void C6_aCommitThatTellsNoOutcomeIsNamed() {
    assertThat(whyOf(new TellsNothing("run")))
        .contains("The connector told no outcome of sut.");
  }

  private static String whyOf(MemoryConnector connector) {
    OnMemoryStore sink = setup -> connector;
    Judgement judgement = SinkKit.of(sink).replay(LINE);
    assertThat(judgement.verdict()).isEqualTo(Verdict.WEDGE);
    return judgement.why();
  }

  private static final class WrapsErrors extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    WrapsErrors(String namespace) {
      super(namespace);
    }

    @Override
    public TransactionId begin(TransactionId id) {
      throw new IllegalStateException("wrapped", new IOException("the root"));
    }
  }

  private static final class TellsNothing extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    TellsNothing(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) {
      return null;
    }
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake(
            "sink(...) returned null",
            new Correct() {
              @Override
              public Object sink(SinkSetup setup) {
                return null;
              }
            }),
        mistake(
            "sink(...) failed: java.lang.IllegalStateException: oops",
            new Correct() {
              @Override
              public Object sink(SinkSetup setup) {
                throw new IllegalStateException("oops");
              }
            }),
        mistake(
            "input(...) returned null",
            new Correct() {
              @Override
              public TestRecord input(TestRecord record) {
                return null;
              }
            }),
        mistake(
            "input(...) failed: java.lang.IllegalStateException: oops",
            new Correct() {
              @Override
              public TestRecord input(TestRecord record) {
                throw new IllegalStateException("oops");
              }
            }),
        mistake(
            "readVisible(...) returned null",
            new Correct() {
              @Override
              public List<TestRecord> readVisible(String namespace) {
                return null;
              }
            }),
        mistake(
            "readVisible(...) returned a list with null in it",
            new Correct() {
              @Override
              public List<TestRecord> readVisible(String namespace) {
                List<TestRecord> visible = new ArrayList<>();
                visible.add(null);
                return visible;
              }
            }),
        mistake(
            "readVisible(...) failed: java.lang.AssertionError: oops",
            new Correct() {
              @Override
              public List<TestRecord> readVisible(String namespace) {
                throw new AssertionError("oops");
              }
            }),
        mistake(
            "unfinished(...) returned null",
            new Correct() {
              @Override
              public Optional<Collection<?>> unfinished(String namespace) {
                return null;
              }
            }));
  }

  private static Arguments mistake(String message, SinkUnderTest<TestRecord> sink) {
    return Arguments.of(message, sink);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeOfTheTestIsNamedAndNotHeldAgainstTheSink(
      String message, SinkUnderTest<TestRecord> sink) {
    Judgement judgement = SinkKit.of(sink).replay(LINE);

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains(message, getClass().getSimpleName());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void anExplorationThatAMistakeStopsIsNotCalledExhausted(
      String message, SinkUnderTest<TestRecord> sink) {
    Exploration exploration =
        SinkKit.of(sink).explore(new Bound(1, 1, 1, Bound.oneFault().budget()));

    assertThat(exploration.exhausted()).isFalse();
    assertThat(exploration.refuted()).as(exploration.describe()).isZero();
    assertThat(exploration.tooInconclusive()).isTrue();
    assertThat(exploration.describe()).startsWith("not exhausted").contains(message);
  }

  @Test
  void nullClaimsAreNamed() {
    Correct sink =
        new Correct() {
          @Override
          public SinkClaims claims() {
            return null;
          }
        };
    assertThatThrownBy(() -> SinkKit.of(sink))
        .hasMessageContaining("claims() returned null: return SinkClaims.exactlyOnce()");
  }

  @Test
  void aReaderThatFailsOnceInThousandsOfReadsSpoilsTheExploration() {
    AtomicInteger reads = new AtomicInteger();
    Correct sink =
        new Correct() {
          @Override
          public List<TestRecord> readVisible(String namespace) {
            if (reads.incrementAndGet() == 2_000) {
              throw new IllegalStateException("now and then");
            }
            return super.readVisible(namespace);
          }
        };
    Exploration exploration = SinkKit.of(sink).explore(Bound.oneFault());

    assertThat(exploration.inconclusive()).isEqualTo(1);
    assertThat(exploration.mistakes()).isEqualTo(1);
    assertThat(exploration.tooInconclusive()).as(exploration.describe()).isTrue();
  }

  private static class Correct implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return new MemoryConnector(setup.namespace());
    }

    @Override
    public Optional<Collection<?>> unfinished(String namespace) {
      return Optional.of(MemoryStore.of(namespace).unfinished());
    }
  }
}
