package dev.twophase.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.internal.explore.Shrinker;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sink that does not return does not keep the kit. */
@Timeout(120)
class HangTest {

  private static final SinkClaims IMPATIENT =
      SinkClaims.exactlyOnce().withBlocking(Duration.ofMillis(300));

  private static Judgement replay(Function<String, MemoryConnector> connector, String line) {
    return SinkKit.of(new MemorySink(connector, IMPATIENT)).replay(line);
  }

  @Test
  void C8_aCommitThatNeverReturnsIsWedge() {
    Judgement judgement = replay(WaitsForEver::new, "2pk/1 p=2; s*.in 1; settle");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.why()).contains("stuck in", "WaitsForEver.commit", "withBlocking");
    assertThat(judgement.rules()).contains("C8");
  }

  /** Each replay takes seconds: shortening would take a minute if the budget did not end it. */
  @Test
  void shorteningEndsWithTheBudget() {
    SinkUnderTest<?> sink = new MemorySink(WaitsForEver::new, IMPATIENT);
    Judgement found = SinkKit.of(sink).replay("2pk/1 p=2; s*.in 1; settle");
    Shrinker shrinker = new Shrinker(new Replay(new Subject<>(sink)), found, Duration.ofNanos(1));

    assertThat(shrinker.shrink()).isEqualTo(found);
  }

  @Test
  void aCallThatIgnoresItsInterruptionIsToldOnce() throws Exception {
    PrintStream err = System.err;
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    Thread kit = new Thread(() -> replay(IgnoresInterruption::new, "2pk/1 p=1; s0.in 1; settle"));
    System.setErr(new PrintStream(told, true, UTF_8));
    try {
      kit.start();
      while (!told.toString(UTF_8).contains("@Timeout")) {
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
      IgnoresInterruption.OPEN.countDown();
      kit.join();
    } finally {
      System.setErr(err);
    }
    assertThat(told.toString(UTF_8))
        .containsOnlyOnce("ignores that its thread is interrupted")
        .contains("IgnoresInterruption.commit", "@Timeout");
  }

  @Test
  void aCallThatIsSlowButMovesProvesNothing() {
    Judgement judgement = replay(MovesForEver::new, "2pk/1 p=1; s0.in 1; settle");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains("not stuck");
  }

  @Test
  void aReaderThatStaysBlockedIsWedge() {
    SinkUnderTest<TestRecord> sink =
        new ReaderOf(
            namespace -> {
              new CountDownLatch(1).await();
              return List.of();
            });
    Judgement judgement = SinkKit.of(sink).replay("2pk/1 p=1; s0.in 1; settle");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.why()).contains("readVisible(...) did not return", "stuck in");
  }

  /** A correct sink, and a reader of a test's own. */
  private record ReaderOf(Reader reader) implements SinkUnderTest<TestRecord> {

    interface Reader {
      List<TestRecord> read(String namespace) throws Exception;
    }

    @Override
    public Object sink(SinkSetup setup) {
      return new MemoryConnector(setup.namespace());
    }

    @Override
    public TestRecord input(TestRecord record) {
      return record;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) throws Exception {
      return reader.read(namespace);
    }

    @Override
    public SinkClaims claims() {
      return IMPATIENT;
    }
  }

  @Test
  void aFrozenAttemptDoesNotHang() {
    Judgement judgement =
        replay(
            MemoryConnector::new,
            "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=D; up 1; settle");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.PASS);
  }

  private static final class WaitsForEver extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    WaitsForEver(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      new CountDownLatch(1).await();
      return super.commit(id, handle);
    }
  }

  private static final class IgnoresInterruption extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    static final CountDownLatch OPEN = new CountDownLatch(1);

    IgnoresInterruption(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      while (OPEN.getCount() > 0) {
        try {
          OPEN.await();
        } catch (InterruptedException ignored) {
          // That is its mistake.
        }
      }
      return super.commit(id, handle);
    }
  }

  private static final class MovesForEver extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    MovesForEver(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      long begun = System.nanoTime();
      while (!Thread.interrupted()) {
        descend((System.nanoTime() - begun) / Duration.ofMillis(20).toNanos() % 50);
      }
      throw new InterruptedException();
    }

    private static void descend(long depth) {
      if (depth > 0) {
        descend(depth - 1);
      } else {
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
    }
  }
}
