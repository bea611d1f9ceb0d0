package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.core.io.SimpleVersionedSerializer;
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
  void S1_aSerializerThatThrowsIsNamedWithItsRule() {
    OnMemoryStore sink = setup -> new CannotSerialize(setup.namespace());
    Judgement judgement = SinkKit.of(sink).replay(LINE);

    assertThat(judgement.title()).isEqualTo("WEDGE (S1)");
    assertThat(judgement.why()).contains("oops", "thrown in ", "CannotSerialize", ".serialize(");
  }

  private static final class CannotSerialize extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    CannotSerialize(String namespace) {
      super(namespace);
    }

    @Override
    public SimpleVersionedSerializer<String> handleSerializer() {
      return new SimpleVersionedSerializer<>() {
        @Override
        public int getVersion() {
          return 1;
        }

        @Override
        public byte[] serialize(String handle) {
          throw new IllegalStateException("oops");
        }

        @Override
        public String deserialize(int version, byte[] bytes) {
          return "";
        }
      };
    }
  }

  @Test
  void C6_aCommitThatTellsNoOutcomeIsNamed() {
    assertThat(whyOf(new TellsNothing("run"))).contains("The connector told no outcome of sut.");
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
            "readVisible(...) failed: java.lang.OutOfMemoryError: oops",
            new Correct() {
              @Override
              public List<TestRecord> readVisible(String namespace) {
                throw new OutOfMemoryError("oops");
              }
            }),
        mistake("input(...) makes the same of different records, x", new Constant() {}),
        mistake(
            "shows 1 records before the run was given any, id 1 (key k0, sequence 0): runs must not"
                + " share",
            new Correct() {
              @Override
              public List<TestRecord> readVisible(String namespace) {
                return List.of(new TestRecord(1, "k0", 0));
              }
            }),
        mistake(
            "cannot be shipped to a task, as Flink does: java.io.NotSerializableException:"
                + " java.util.Optional (NotShippable.kept is a java.util.Optional)",
            new Correct() {
              @Override
              public Object sink(SinkSetup setup) {
                return new NotShippable(setup.namespace());
              }
            }),
        mistake(
            "Faults.aroundPort was called in sink(...), where there is no attempt yet",
            new Correct() {
              @Override
              public Object sink(SinkSetup setup) {
                setup.faults().aroundPort(MessageFramer.opaque(), 4711);
                return super.sink(setup);
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

  private static Arguments mistake(String message, SinkUnderTest<?> sink) {
    return Arguments.of(message, sink);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeOfTheTestIsNamedAndNotHeldAgainstTheSink(String message, SinkUnderTest<?> sink) {
    Judgement judgement = SinkKit.of(sink).replay(LINE);

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains(message);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void anExplorationThatAMistakeStopsIsNotCalledExhausted(String message, SinkUnderTest<?> sink) {
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

  @Test
  void anExpiryThatIsDeclaredAndDoesNotHappenIsNamed() {
    Correct sink =
        new Correct() {
          @Override
          public Set<ExternalEvent> externalEvents() {
            return Set.of(ExternalEvent.EXPIRE);
          }
        };
    Exploration exploration = SinkKit.of(sink).explore(new Bound(1, 1, 1, Duration.ofMinutes(5)));

    assertThat(exploration.tooInconclusive()).as(exploration.describe()).isTrue();
    assertThat(exploration.describe()).contains("external(..., EXPIRE) did nothing");
  }

  @Test
  void theOrderOfWhatIsReadDoesNotMatterWhereNoneIsClaimed() {
    assertThat(SinkKit.of(new AnyOrder(SinkClaims.exactlyOnce())).replay(LINE).verdict())
        .isEqualTo(Verdict.PASS);
  }

  @Test
  void aReaderThatReturnsAnotherOrderEachTimeIsToldSo() {
    SinkClaims ordered = SinkClaims.exactlyOnce().withOrder(OrderScope.KEY);
    Judgement judgement = SinkKit.of(new AnyOrder(ordered)).replay(LINE);

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains("100 reads in a row differed, in their order only");
  }

  @Test
  void aReaderThatHangsOnceIsNamedWithItsStack() {
    AtomicInteger reads = new AtomicInteger();
    Correct sink =
        new Correct() {
          @Override
          public List<TestRecord> readVisible(String namespace) {
            if (reads.incrementAndGet() == 3) {
              while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park(this);
              }
            }
            return super.readVisible(namespace);
          }

          @Override
          public SinkClaims claims() {
            return SinkClaims.exactlyOnce().withBlocking(Duration.ofMillis(200));
          }
        };
    Exploration exploration = SinkKit.of(sink).explore(new Bound(1, 1, 1, Duration.ofMinutes(5)));

    assertThat(exploration.exhausted()).isFalse();
    assertThat(exploration.describe())
        .contains("readVisible(...) did not return for", "stuck in", getClass().getSimpleName())
        .contains("gets PASS: nothing found")
        .doesNotContain("\n", "-Dtwophase.schedule");
    assertThat(exploration.unrepeated()).isNotEmpty();
  }

  private static class Constant implements SinkUnderTest<String> {
    @Override
    public Object sink(SinkSetup setup) {
      return new MemoryConnector(setup.namespace());
    }

    @Override
    public String input(TestRecord record) {
      return "x";
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      return List.of();
    }
  }

  private static final class NotShippable extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"serial", "unused", "OptionalUsedAsFieldOrParameterType"}) // its mistake
    private final Optional<String> kept = Optional.of("kept");

    NotShippable(String namespace) {
      super(namespace);
    }
  }

  /** Turns what it reads round each time. */
  private static final class AnyOrder extends Correct {
    private final SinkClaims claims;
    private boolean turned;

    AnyOrder(SinkClaims claims) {
      this.claims = claims;
    }

    @Override
    public SinkClaims claims() {
      return claims;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      List<TestRecord> visible = new ArrayList<>(super.readVisible(namespace));
      turned = !turned;
      if (turned) {
        Collections.reverse(visible);
      }
      return visible;
    }
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
