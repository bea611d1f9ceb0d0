package dev.twophase.testkit.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.store.BrokenConnectors.LosesRecords;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The classes of determinism that reports name. */
class RepetitionTest {

  private static final Schedule CRASH =
      Schedule.parse(
          "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; s0.kill; up 1; settle");

  private static final Bound SMALL = new Bound(0, 1, 1, Duration.ofMinutes(1));

  private static Repetition repeat(SinkUnderTest<?> sink) {
    return Repetition.of(new Subject<>(sink), CRASH);
  }

  @Test
  void D0_eachRunHasTheSameTrace() {
    Repetition repeated = repeat(new MemorySink(MemoryConnector::new));

    assertThat(repeated.determinism()).isEqualTo(Determinism.D0);
    assertThat(repeated.runs()).isBetween(2, 100);
    assertThat(repeated.describe())
        .contains("D0: the same trace in " + repeated.runs() + " of " + repeated.runs() + " runs");
  }

  @Test
  void D0_anotherScheduleHasAnotherHash() {
    MemorySink sink = new MemorySink(MemoryConnector::new);
    Schedule other = Schedule.parse(CRASH.toString().replace("=A", "=E"));

    assertThat(repeat(sink).hash())
        .isNotEqualTo(Repetition.of(new Subject<>(sink), other).hash())
        .isEqualTo(repeat(sink).hash());
  }

  @Test
  void D1_threadsOfTheSinkMakeCalls() {
    OnMemoryStore elsewhere = WritesElsewhere::new;
    Repetition repeated = repeat(elsewhere);

    assertThat(repeated.determinism()).isEqualTo(Determinism.D1);
    assertThat(repeated.conclusive()).isTrue();
  }

  @Test
  void D2_realServersAreDeclared() {
    Repetition repeated = repeat(new OnRealServers());

    assertThat(repeated.determinism()).isEqualTo(Determinism.D2);
    assertThat(repeated.describe()).contains("in 5 of 5 runs");
  }

  @Test
  void D2_runsDifferThoughNobodySaidSo() {
    List<String> runs = new CopyOnWriteArrayList<>();
    OnMemoryStore differs =
        setup -> {
          if (!runs.contains(setup.namespace())) {
            runs.add(setup.namespace());
          }
          return new FailsEachOtherRun(setup.namespace(), runs.indexOf(setup.namespace()));
        };

    assertThat(repeat(differs).determinism()).isEqualTo(Determinism.D2);
  }

  @Test
  void D2_whatIsNotFoundFiveTimesOfFiveIsInconclusive() {
    Exploration declared = SinkKit.of(new WellEachFifthTime(true)).explore(SMALL);
    assertThat(declared.findings()).isEmpty();
    assertThat(declared.unrepeated()).isNotEmpty();
    assertThat(declared.tooInconclusive()).isTrue();

    assertThat(SinkKit.of(new WellEachFifthTime(false)).explore(SMALL).findings()).isNotEmpty();
  }

  private record WellEachFifthTime(boolean realServers, AtomicInteger runs)
      implements OnMemoryStore {
    WellEachFifthTime(boolean realServers) {
      this(realServers, new AtomicInteger());
    }

    @Override
    public Object sink(SinkSetup setup) {
      return runs.incrementAndGet() % 5 == 0
          ? new MemoryConnector(setup.namespace())
          : new LosesRecords(setup.namespace());
    }
  }

  private record OnRealServers() implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return new MemoryConnector(setup.namespace());
    }

    @Override
    public boolean realServers() {
      return true;
    }
  }

  /** A client that schedules can strike at. */
  public interface Client {
    void write();
  }

  private static final class WritesElsewhere extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private final SinkSetup setup;

    WritesElsewhere(SinkSetup setup) {
      super(setup.namespace());
      this.setup = setup;
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      Client client = setup.faults().around(Client.class, () -> {});
      CompletableFuture.runAsync(client::write).get();
      super.write(transaction, record, context);
    }
  }

  private static final class FailsEachOtherRun extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private final int run;

    FailsEachOtherRun(String namespace, int run) {
      super(namespace);
      this.run = run;
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      super.write(transaction, record, context);
      if (run % 2 == 1) {
        throw new IllegalStateException("not in the run before");
      }
    }
  }
}
