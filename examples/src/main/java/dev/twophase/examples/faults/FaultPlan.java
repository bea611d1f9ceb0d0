package dev.twophase.examples.faults;

import dev.twophase.examples.lines.Pace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What shall strike when. Lives in a static field and so outlives every restart of the job, which
 * runs in the same JVM.
 *
 * <p>Each fault owns a stretch of the input. It is armed when a checkpoint is complete that begins
 * within its stretch, and the source does not leave the stretch before the job has recovered. Every
 * record that the fault can lose or duplicate therefore lies in its stretch, and the recount can
 * tell which fault is to blame.
 *
 * <p>Thread-safe.
 */
public final class FaultPlan implements Pace {

  /** A checkpoint that began within the stretch, and one to be sure that it has been committed. */
  private static final int CHECKPOINTS_BEFORE_ARMING = 2;

  /** While a fault is pending, what is left of its stretch is spread over at least this time. */
  private static final double SECONDS_IN_RESERVE = 3;

  /**
   * The last records of a stretch are spread over more, because a fault that strikes at a record
   * has nothing to strike at when none is left, and on a loaded machine faults are slow to strike.
   */
  private static final int LAST_RECORDS = 16;

  private static final double SECONDS_FOR_LAST = 20;

  private static volatile @Nullable FaultPlan current;

  private enum Phase {
    APPROACHING,
    ARMED,
    RECOVERING,
    DONE
  }

  private final List<FaultKind> faults;
  private final Stretches stretches;
  private final double recordsPerSecond;
  private final boolean commitsWait;
  private final LongSupplier clock;
  private final List<FaultReport> reports = new ArrayList<>();
  private final Set<UUID> attempts = new HashSet<>();

  private Phase phase;
  private int step;
  private int generation;
  private int checkpointsInStretch;
  private long latestCheckpoint;
  private long safePosition;
  private long emitted;
  private String where = "";
  private long struckAt;
  private long struckCheckpoint;
  private double credit;
  private long creditedAt;

  /**
   * @param faults in this order
   * @param stretches one for each fault, and one more
   * @param commitsWait see {@link FaultKind#steps}
   */
  public FaultPlan(
      List<FaultKind> faults, Stretches stretches, double recordsPerSecond, boolean commitsWait) {
    this(faults, stretches, recordsPerSecond, commitsWait, System::nanoTime);
  }

  FaultPlan(
      List<FaultKind> faults,
      Stretches stretches,
      double recordsPerSecond,
      boolean commitsWait,
      LongSupplier clock) {
    this.clock = clock;
    this.creditedAt = clock.getAsLong();
    this.faults = List.copyOf(faults);
    this.stretches = stretches;
    this.recordsPerSecond = recordsPerSecond;
    this.commitsWait = commitsWait;
    this.phase = faults.isEmpty() ? Phase.DONE : Phase.APPROACHING;
  }

  /** Makes this the plan of this JVM. */
  public void install() {
    current = this;
  }

  /** The plan of this JVM. */
  public static FaultPlan current() {
    FaultPlan plan = current;
    if (plan == null) {
      throw new IllegalStateException("No fault plan has been installed in this JVM");
    }
    return plan;
  }

  @Override
  public synchronized boolean mayEmit(long position) {
    boolean pending = phase != Phase.DONE;
    long left = limit() - position;
    if (pending && left <= 0) {
      return false;
    }
    double seconds = left <= LAST_RECORDS ? SECONDS_FOR_LAST : SECONDS_IN_RESERVE;
    double rate = pending ? Math.min(recordsPerSecond, left / seconds) : recordsPerSecond;
    long now = clock.getAsLong();
    credit = Math.min(credit + (now - creditedAt) * 1e-9 * rate, 1 + rate * 0.05);
    creditedAt = now;
    if (credit < 1) {
      return false;
    }
    credit--;
    emitted = position + 1;
    return true;
  }

  /**
   * Half of a stretch is kept until its fault is armed: however long that takes, records follow.
   */
  private long limit() {
    int stretch = reports.size();
    long end = stretches.end(stretch);
    return phase == Phase.APPROACHING ? (stretches.start(stretch) + end) / 2 : end;
  }

  @Override
  public synchronized void checkpointed(long checkpointId, long position) {
    latestCheckpoint = Math.max(latestCheckpoint, checkpointId);
    safePosition = Math.max(safePosition, position);
    if (phase == Phase.APPROACHING && position > stretches.start(reports.size())) {
      checkpointsInStretch++;
      if (checkpointsInStretch >= CHECKPOINTS_BEFORE_ARMING) {
        phase = Phase.ARMED;
        step = 0;
      }
    }
  }

  /** The position up to which a complete checkpoint holds all records. */
  public synchronized long safePosition() {
    return safePosition;
  }

  /** Which attempt is running; whoever is opened keeps it and names it in later calls. */
  public synchronized int generation() {
    return generation;
  }

  /**
   * The fault that strikes here, if one does. Strikes once.
   *
   * @param by generation of the caller
   * @param checkpoint the one being committed, or negative
   */
  public synchronized Optional<FaultKind> strikes(
      Point point, int by, String place, long checkpoint) {
    if (phase != Phase.ARMED || by != generation) {
      return Optional.empty();
    }
    FaultKind fault = faults.get(reports.size());
    List<Point> steps = fault.steps(commitsWait);
    if (step >= steps.size() || steps.get(step) != point) {
      return Optional.empty();
    }
    if (step == 0) {
      where = place;
      struckCheckpoint = checkpoint >= 0 ? checkpoint : latestCheckpoint;
    }
    step++;
    struck(fault, step == steps.size());
    return Optional.of(fault);
  }

  /** The armed fault, if it is one that has to be done from outside the job. */
  public synchronized Optional<FaultKind> outsideFault() {
    if (phase != Phase.ARMED) {
      return Optional.empty();
    }
    FaultKind fault = faults.get(reports.size());
    return fault.steps(commitsWait).isEmpty() ? Optional.of(fault) : Optional.empty();
  }

  /** Tells that it is being done. */
  public synchronized void strikeFromOutside(FaultKind fault, String place) {
    where = place;
    struckCheckpoint = latestCheckpoint;
    struck(fault, true);
  }

  private void struck(FaultKind fault, boolean last) {
    if (fault.crashes()) {
      generation++;
      attempts.clear();
    }
    struckAt = clock.getAsLong();
    if (last) {
      phase = Phase.RECOVERING;
    }
  }

  /** Tells that a transaction begins. */
  public synchronized void begun(UUID attemptNonce, int by) {
    if (by == generation) {
      attempts.add(attemptNonce);
    }
  }

  /** Tells that a transaction has been committed and acknowledged. */
  public synchronized void committed(UUID attemptNonce) {
    if (phase != Phase.RECOVERING || !attempts.contains(attemptNonce)) {
      return;
    }
    long took = (clock.getAsLong() - struckAt) / 1_000_000;
    reports.add(new FaultReport(faults.get(reports.size()), where, struckCheckpoint, took));
    phase = reports.size() == faults.size() ? Phase.DONE : Phase.APPROACHING;
    checkpointsInStretch = 0;
  }

  /** What has struck so far. */
  public synchronized List<FaultReport> reports() {
    return List.copyOf(reports);
  }

  /** Where the run stands. */
  public synchronized Progress progress() {
    Optional<FaultKind> next =
        phase == Phase.DONE ? Optional.empty() : Optional.of(faults.get(reports.size()));
    return new Progress(
        emitted,
        latestCheckpoint,
        reports.size(),
        next,
        phase == Phase.RECOVERING || (phase == Phase.ARMED && step > 0));
  }

  /**
   * A moment of the run.
   *
   * @param emitted position of the source
   * @param checkpoint the latest complete one
   * @param recovered number of faults from which the job has recovered
   * @param next the fault that comes next or is under way
   * @param struck whether that one has begun to strike
   */
  public record Progress(
      long emitted, long checkpoint, int recovered, Optional<FaultKind> next, boolean struck) {}
}
