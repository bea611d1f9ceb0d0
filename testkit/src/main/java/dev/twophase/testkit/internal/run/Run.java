package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.cluster.ClusterTier;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.job.JobObserver;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Oracle;
import dev.twophase.testkit.internal.oracle.Printable;
import dev.twophase.testkit.internal.protocol.ProtocolTier;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.internal.watch.HungException;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.internal.watch.Watch;
import dev.twophase.testkit.proxy.wire.WireRequest;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run against a fresh namespace. Everything visible is read and judged after each thing that a
 * sink was asked to do, and once more after settling.
 */
public final class Run implements JobObserver, AutoCloseable {

  /** What {@code ext} brings that is no event of the external system's own. */
  public static final String NEIGHBOUR = "neighbour";

  private static final String WHAT_LIMITS_CALLS =
      " (SinkClaims.withBlocking says how long a call may take)";

  private static final Set<FaultKind> OF_BYTES =
      Set.of(FaultKind.KILL, FaultKind.UNKNOWN, FaultKind.DELAYED);

  private final Subject<?> subject;
  private final String namespace;
  private final Oracle oracle;
  private final SecondLook judge;
  private final Tier<?> tier;
  private final Job<?> job;
  private final Outage outage;
  private final Watch watch = Watch.ofThisThread();
  private final RunListener listener;
  private @Nullable Neighbour neighbour;
  private @Nullable Step step;
  private @Nullable String inconclusive;
  private boolean mistakeOfTest;
  private boolean expired;
  private @Nullable Throwable detected;
  private boolean isDown;
  private Operation observedOperation = Operation.START;
  private @Nullable RunningAttempt<?> observedAttempt;

  /** Made once, as it is asked for after each thing that the sink is asked to do. */
  private final BiConsumer<Oracle, List<TestRecord>> judgement;

  /**
   * @param shipped whether connectors reach each attempt as bytes
   */
  public Run(
      Subject<?> subject, int parallelism, Source source, CallDecider decider, boolean shipped) {
    this(subject, parallelism, source, decider, shipped, RunListener.NONE);
  }

  Run(
      Subject<?> subject,
      int parallelism,
      Source source,
      CallDecider decider,
      boolean shipped,
      RunListener listener) {
    this.subject = subject;
    this.listener = listener;
    this.namespace = subject.newNamespace();
    this.oracle = new Oracle(subject.claims(), source != Source.REBALANCED);
    this.judge = new SecondLook(oracle, this::read, subject.realServers());
    Supplier<String> moment = () -> moment(observedOperation, observedAttempt);
    this.judgement = (by, read) -> by.judge(read, job().input(), moment);
    this.tier = subject.tier(namespace, source, shipped);
    this.outage =
        new Outage(
            decider,
            tier instanceof ProtocolTier<?, ?, ?>
                || (tier instanceof ClusterTier<?> cluster && cluster.runsConnector()));
    this.job = new Job<>(tier, parallelism, source, outage, this);
    // A cluster has limits of its own, which allow for what it takes to deploy a job.
    this.job.limitCalls(
        tier instanceof ClusterTier<?> ? Duration.ofMinutes(10) : subject.claims().blocking());
  }

  /**
   * Executes one step; the last one must be {@link Verb#SETTLE} for losses to be seen.
   *
   * @return false if it was skipped, or the run can prove nothing any more
   */
  public boolean execute(Step next) {
    if (inconclusive != null) {
      return false;
    }
    step = next;
    List<Fault> faults = next.faults();
    for (int i = 0; i < faults.size(); i++) {
      if (faults.get(i).kind() == FaultKind.DELAYED) {
        job.mayFreeze(true);
      }
    }
    try {
      refuseInTheMiddle(faults);
      if (next.verb() == Verb.EXT && next.word().equals(NEIGHBOUR)) {
        return neighbourComes();
      }
      if (next.verb() == Verb.EXT) {
        external(ExternalEvent.valueOf(next.word().toUpperCase(Locale.ROOT)));
        return true;
      }
      if (next.verb() == Verb.SETTLE && isDown) {
        external(ExternalEvent.UP);
      }
      boolean done = job.execute(next);
      if (!(tier instanceof ClusterTier<?>)) {
        outage.awaitOwnThreads();
      }
      String nothing = outage.whyNothing();
      if (nothing != null) {
        throw InconclusiveException.mistakeOfTest(nothing, null);
      }
      if (next.verb() == Verb.SETTLE) {
        judgeSettled();
      }
      return done;
    } catch (InconclusiveException e) {
      inconclusive = e.getMessage();
      mistakeOfTest = e.isMistakeOfTest();
      return false;
    } catch (HungException e) {
      // Only a reader's gets here; every other read would take as long.
      inconclusive = e.getMessage();
      oracle.add(
          new Anomaly(
              Verdict.WEDGE,
              List.of(),
              "in step '" + next + "'",
              e.getMessage()
                  + WHAT_LIMITS_CALLS
                  + ": the sink holds what a reader needs, or the reader is wrong"));
      return false;
    } finally {
      job.mayFreeze(false);
    }
  }

  /** In the middle of a request nobody knows whether the server has it, or ever will. */
  private static void refuseInTheMiddle(List<Fault> faults) {
    for (Fault fault : faults) {
      if (fault.callClass().equals(WireRequest.MORE_BYTES) && !OF_BYTES.contains(fault.kind())) {
        throw new InconclusiveException(
            "'"
                + fault
                + "' cannot be done: where a request begins is known of the first bytes of a"
                + " connection only, "
                + WireRequest.FIRST_BYTES
                + "; later ones can be struck by K and U, or with a MessageFramer of the protocol");
      }
    }
  }

  /** Returns whether it is the first one. */
  private boolean neighbourComes() {
    if (neighbour != null) {
      return false;
    }
    Neighbour beside = new Neighbour(subject.tierOfNeighbour(namespace), subject.claims());
    neighbour = beside;
    beside.prepare();
    beside.disturbed(() -> "in step '" + step + "'").ifPresent(oracle::add);
    return true;
  }

  /** What a reader sees of the sink under test. */
  private List<TestRecord> read() {
    List<TestRecord> visible = subject.readVisible(namespace, watch);
    Neighbour beside = neighbour;
    return beside == null ? visible : beside.without(visible);
  }

  private void external(ExternalEvent event) {
    boolean done = subject.external(namespace, event);
    isDown = event == ExternalEvent.DOWN || (isDown && event != ExternalEvent.UP);
    expired |= event == ExternalEvent.EXPIRE;
    if (done) {
      return;
    }
    switch (event) {
      case DOWN -> outage.down();
      case UP -> outage.up();
      case EXPIRE ->
          throw InconclusiveException.mistakeOfTest(
              "The external system was to forget what is not committed, and external(..., EXPIRE)"
                  + " did nothing: override it, and return true",
              null);
    }
  }

  /**
   * Lets an outage pass that no decorated call has noticed; returns whether there was one. A run in
   * which one is planned, and not noticed, proves nothing otherwise.
   */
  public boolean forgiveUnnoticedOutage() {
    return outage.forgiveUnnoticed();
  }

  /** Announces that a call freezes in the step that comes next. */
  public void expectFreeze() {
    job.mayFreeze(true);
  }

  @Override
  public void observed(Operation operation, RunningAttempt<?> attempt, @Nullable Throwable error) {
    List<TestRecord> visible = read();
    Neighbour beside = neighbour;
    if (beside != null) {
      beside.disturbed(() -> moment(operation, attempt)).ifPresent(oracle::add);
    }
    if (!visible.isEmpty() || oracle.sawAnything()) {
      refuseStrangers(visible);
      if (job.rewound() && subject.acceptsRewind()) {
        oracle.allowDuplicates();
      }
      observedOperation = operation;
      observedAttempt = attempt;
      judge.judge(visible, judgement);
    }
    if (error instanceof HungException) {
      oracle.add(
          new Anomaly(
              Verdict.WEDGE,
              List.of(),
              moment(operation, attempt),
              "the call " + error.getMessage() + WHAT_LIMITS_CALLS));
    }
    listener.observed(this, operation, attempt, error, visible);
  }

  /** Before a run has any input, whatever is visible is another's. */
  private void refuseStrangers(List<TestRecord> visible) {
    if (visible.isEmpty() || job.input().size() > 0) {
      return;
    }
    throw InconclusiveException.mistakeOfTest(
        "readVisible(\""
            + namespace
            + "\") shows "
            + visible.size()
            + " records before the run was given any, "
            + Printable.of(visible)
            + ": runs must not share a directory, table or topic, see SinkSetup.namespace()",
        null);
  }

  private String moment(Operation operation, @Nullable RunningAttempt<?> attempt) {
    String what =
        switch (operation) {
          case START -> "start";
          case INPUT -> "input";
          case SNAPSHOT -> "snapshot";
          case NOTIFY_COMPLETE -> "notification of completion";
          case NOTIFY_ABORTED -> "notification of abortion";
          case END_OF_INPUT -> "end of input";
          case CLOCK -> "passing of time";
          case CLOSE -> "close";
        };
    return "after the " + what + " of " + attempt + ", in step '" + step + "'";
  }

  private void judgeSettled() {
    Neighbour beside = neighbour;
    if (beside != null && !expired) {
      beside.comeBack();
    }
    SettledJudge settled = settledJudge();
    inconclusive = settled.judge();
    if (beside != null) {
      beside.lastWord(subject, this::read).ifPresent(oracle::add);
    }
    detected = settled.detected();
    if (inconclusive == null && outage.unnoticed()) {
      inconclusive = "The external system was down, and no decorated call has noticed";
    }
  }

  private SettledJudge settledJudge() {
    return new SettledJudge(subject, namespace, job, oracle, judge, expired, this::read);
  }

  /**
   * Reads a run that passed once more, when what was declared to become visible late has.
   *
   * @return what is wrong now; null if nothing is, or it cannot be told
   */
  @Nullable Anomaly lookAgain() {
    try {
      settledJudge().judgeRead();
    } catch (InconclusiveException | HungException proveNothing) {
      return null;
    }
    return worst();
  }

  OptionalLong leftBehind() {
    return subject.leftBehind(namespace);
  }

  /** Adds what was found by other means. */
  void accuse(Anomaly anomaly) {
    oracle.add(anomaly);
  }

  /** All that was found so far. */
  public List<Anomaly> anomalies() {
    return oracle.anomalies();
  }

  /** Whether anything was found that accuses the sink. */
  public boolean accuses() {
    return !oracle.anomalies().isEmpty();
  }

  /** Why the run proves nothing; null if it does. */
  public @Nullable String inconclusive() {
    return inconclusive;
  }

  /** Whether that is because a method failed that the sink's author wrote for the kit. */
  public boolean mistakeOfTest() {
    return mistakeOfTest;
  }

  public Job<?> job() {
    return job;
  }

  /** The most severe of what was found; null if there is nothing. */
  public @Nullable Anomaly worst() {
    Anomaly worst = null;
    for (Anomaly anomaly : oracle.anomalies()) {
      if (worst == null || anomaly.verdict().compareTo(worst.verdict()) < 0) {
        worst = anomaly;
      }
    }
    return worst;
  }

  /** The verdict so far. */
  public Verdict verdict() {
    Anomaly worst = worst();
    return worst != null
        ? worst.verdict()
        : inconclusive != null
            ? Verdict.INCONCLUSIVE
            : detected != null ? Verdict.DETECTED : Verdict.PASS;
  }

  /** The declared error with which the sink stopped where it may; null if it did not. */
  public @Nullable Throwable detected() {
    return detected;
  }

  @Override
  public void close() {
    end();
    cleanUp();
  }

  /** Ends all attempts; what is visible can still be read. */
  void end() {
    Neighbour beside = neighbour;
    if (beside != null) {
      beside.close();
    }
    job.abandon();
    tier.close();
  }

  /** Removes what an ended run left behind. */
  void cleanUp() {
    subject.cleanUp(namespace);
  }
}
