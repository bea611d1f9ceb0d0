package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.job.JobObserver;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The same sink in another job and under another name, one that begins like the name of the sink
 * under test. It prepares a transaction and dies; when the run settles it comes back, commits and
 * ends. What the sink under test does in the meantime must make no difference to it (R2, W6).
 */
final class Neighbour implements AutoCloseable {

  private static final List<Step> PREPARES = Schedule.parse("2pk/1 p=1; s0.in 1; s0.bar 1").steps();
  private static final List<Step> DIES = Schedule.parse("2pk/1 p=1; s0.kill").steps();
  private static final List<Step> COMES_BACK =
      Schedule.parse("2pk/1 p=1; done 1; up 1; settle").steps();

  private static final String LONGER_NAME = "-eu";

  /** Above all ids of the run's own records, and still an int. */
  private static final long ABOVE_IDS = 2_000_000_000L;

  private static final long PAUSE_NANOS = 5_000_000;

  private static final CallDecider NO_FAULTS =
      new CallDecider() {
        @Override
        public @Nullable FaultKind arriving(CallGate gate, String callClass) {
          return null;
        }

        @Override
        public void fired(CallGate gate, String callClass, FaultKind kind) {
          throw new AssertionError(kind);
        }
      };

  private final Tier<?> tier;
  private final Job<?> job;
  private boolean prepared;
  private boolean back;

  /** How often its record was there when the place was last read. */
  private int copies;

  /**
   * @param tier of the sink under its other name, fed with {@link #disguised} records
   */
  Neighbour(Tier<?> tier, SinkClaims claims) {
    this.tier = tier;
    this.job = new Job<>(tier, 1, Source.KEYED, NO_FAULTS, JobObserver.NONE);
    job.limitCalls(claims.blocking());
  }

  static String nameBeside(String sinkName) {
    return sinkName + LONGER_NAME;
  }

  /** A record of the neighbour's, which none of the run's own is like. */
  static TestRecord disguised(TestRecord record) {
    return new TestRecord(
        ABOVE_IDS + record.id(), record.key(), record.sequence(), record.attempt());
  }

  void prepare() {
    PREPARES.forEach(job::execute);
    prepared = !job.isDown();
    DIES.forEach(job::execute);
  }

  void comeBack() {
    if (prepared) {
      COMES_BACK.forEach(job::execute);
      back = true;
    }
  }

  /** What a reader sees of the sink under test. */
  List<TestRecord> without(List<TestRecord> visible) {
    List<TestRecord> others = new ArrayList<>(visible.size());
    for (TestRecord record : visible) {
      if (record.id() <= ABOVE_IDS) {
        others.add(record);
      }
    }
    copies = visible.size() - others.size();
    return others;
  }

  /** What is wrong as long as the neighbour is away; empty if nothing is. */
  Optional<Anomaly> disturbed(Supplier<String> moment) {
    if (!prepared) {
      return Optional.of(anomaly(Verdict.WEDGE, moment, "could not prepare anything" + because()));
    }
    return copies == 0 || back
        ? Optional.empty()
        : Optional.of(
            anomaly(Verdict.EARLY, moment, "sees what it has prepared committed by this sink"));
  }

  /**
   * What is wrong once it has come back; empty if nothing is.
   *
   * @param reader reads what is visible, and passes it through {@link #without}
   */
  Optional<Anomaly> lastWord(Subject<?> subject, Supplier<List<TestRecord>> reader) {
    Supplier<String> moment = () -> "after settling";
    if (!back) {
      return Optional.empty();
    }
    if (!job.settled()) {
      Throwable error = job.lastError();
      boolean lost = error != null && subject.isDeclaredError(error);
      return Optional.of(
          anomaly(
              lost ? Verdict.LOSS : Verdict.WEDGE,
              moment,
              "cannot commit what it has prepared" + because()));
    }
    long deadline = System.nanoTime() + subject.claims().visibilityDelay().toNanos();
    while (copies == 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(PAUSE_NANOS);
      List<TestRecord> unused = reader.get();
    }
    return switch (copies) {
      case 0 -> Optional.of(anomaly(Verdict.LOSS, moment, "has lost what it had prepared"));
      case 1 -> Optional.empty();
      default ->
          Optional.of(anomaly(Verdict.DUPLICATE, moment, "sees its record " + copies + " times"));
    };
  }

  private String because() {
    Throwable error = job.lastError();
    return error == null ? "" : ": " + error;
  }

  private static Anomaly anomaly(Verdict verdict, Supplier<String> moment, String what) {
    return new Anomaly(
        verdict,
        List.of(),
        moment.get(),
        "a neighbour in the same place, whose name begins like this sink's, " + what);
  }

  @Override
  public void close() {
    job.abandon();
    tier.close();
  }
}
