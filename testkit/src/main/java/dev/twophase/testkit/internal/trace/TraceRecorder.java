package dev.twophase.testkit.internal.trace;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Printable;
import dev.twophase.testkit.internal.run.Run;
import dev.twophase.testkit.internal.run.RunListener;
import dev.twophase.testkit.internal.trace.Event.Kind;
import dev.twophase.testkit.internal.trace.Trace.TracedStep;
import dev.twophase.testkit.schedule.FaultKind;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Follows one run and takes down what happens. Calls may come from threads of the sink; all else
 * comes from the thread of the run.
 */
public final class TraceRecorder implements RunListener {

  private final Schedule schedule;
  private final List<TracedStep> steps = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Event> calls = new ArrayList<>();
  private final JobChanges changes = new JobChanges();
  private List<Long> seen = List.of();
  private long leftBehind = -1;
  private final TraceHash hash = new TraceHash();
  private final AtomicInteger fired = new AtomicInteger();
  private int anomalies;
  private @Nullable Step step;

  public TraceRecorder(Schedule schedule) {
    this.schedule = schedule;
  }

  /** Sees what is decided about each call, and passes it on. */
  public CallDecider following(CallDecider decider) {
    return new CallDecider() {
      @Override
      public @Nullable FaultKind arriving(CallGate gate, String callClass) {
        FaultKind kind = decider.arriving(gate, callClass);
        called(gate, callClass, kind);
        return kind;
      }

      @Override
      public boolean takesDown() {
        return true;
      }

      @Override
      public void fired(CallGate gate, String callClass, FaultKind kind) {
        decider.fired(gate, callClass, kind);
        fired.incrementAndGet();
      }
    };
  }

  private synchronized void called(CallGate gate, String callClass, @Nullable FaultKind kind) {
    Event call =
        new Event(
            steps.size(),
            Kind.CALL,
            gate.subtask(),
            gate.attempt(),
            callClass,
            kind == null ? null : String.valueOf(kind.letter()),
            List.of(),
            Printable.of(Secrets.masked(CallGate.argumentsOfArriving())));
    calls.add(call);
    hash.call(call, CallGate.current() == null);
  }

  /** How many faults have happened. */
  int fired() {
    return fired.get();
  }

  /** Whether threads of the sink's own have made calls. */
  synchronized boolean sawOwnThreads() {
    return hash.sawOwnThreads();
  }

  /** Over everything that is the same each time where nothing is left to chance. */
  synchronized long hash() {
    return hash.value();
  }

  @Override
  public synchronized void stepBegins(Run run, Step next) {
    step = next;
  }

  @Override
  public synchronized void stepEnds(Run run, boolean executed) {
    flushCalls();
    takeChanges(run);
    takeAnomalies(run);
    Step ended = step;
    if (ended != null) {
      steps.add(
          new TracedStep(
              ended.with(List.of()).toString(),
              ended.faults().stream().map(Object::toString).toList(),
              executed));
    }
  }

  @Override
  public synchronized void leftBehind(long count, int crashes) {
    if (count != leftBehind) {
      leftBehind = count;
      String after = crashes == 1 ? " after 1 crash" : " after " + crashes + " crashes";
      add(Kind.LEFT_BEHIND, "left behind: " + count + after);
    }
  }

  @Override
  public synchronized void observed(
      Run run,
      Operation operation,
      RunningAttempt<?> attempt,
      @Nullable Throwable error,
      List<TestRecord> visible) {
    changes.checkpoints(run.job()).forEach(text -> add(Kind.CHECKPOINT, text));
    add(operationEvent(run, operation, attempt));
    flushCalls();
    if (error != null && operation != Operation.CLOSE) {
      changes.died(attempt);
      add(of(Kind.DIED, attempt, "fails: " + describe(error), List.of()));
    }
    takeChanges(run);
    List<Long> now = visible.stream().map(TestRecord::id).toList();
    if (!now.equals(seen)) {
      seen = now;
      add(new Event(steps.size(), Kind.VISIBLE, Event.JOB, Event.JOB, "sees", null, now));
    }
    takeAnomalies(run);
  }

  private static String describe(Throwable error) {
    return Secrets.masked(error.getClass().getSimpleName() + ": " + error.getMessage());
  }

  private Event operationEvent(Run run, Operation operation, RunningAttempt<?> attempt) {
    long checkpoint = numberOf(run, operation);
    return switch (operation) {
      case START -> {
        changes.started(attempt);
        String from = attempt.restored() == 0 ? "" : " from " + attempt.restored();
        yield of(Kind.START, attempt, "start" + from, List.of());
      }
      case INPUT -> of(Kind.INPUT, attempt, "input", changes.newlyDelivered(attempt));
      case SNAPSHOT -> of(Kind.BARRIER, attempt, "barrier " + checkpoint, List.of());
      case NOTIFY_COMPLETE ->
          of(Kind.NOTIFIED, attempt, "told: " + checkpoint + " complete", List.of());
      case NOTIFY_ABORTED ->
          of(Kind.NOTIFIED, attempt, "told: " + checkpoint + " aborted", List.of());
      case END_OF_INPUT -> of(Kind.END_OF_INPUT, attempt, "end of input", List.of());
      case CLOCK -> of(Kind.CLOCK, attempt, "time passes", List.of());
      case CLOSE -> {
        changes.closed(attempt);
        yield of(Kind.CLOSED, attempt, "close", List.of());
      }
    };
  }

  /** The checkpoint meant: what the step says, or, while settling, the newest one. */
  private long numberOf(Run run, Operation operation) {
    Step now = step;
    if (now != null && now.verb() != Verb.SETTLE) {
      return now.number();
    }
    var stored = run.job().checkpoints().latestStored();
    return operation == Operation.SNAPSHOT || stored == null
        ? run.job().checkpoints().nextId() - 1
        : stored.id();
  }

  private void takeChanges(Run run) {
    changes.checkpoints(run.job()).forEach(text -> add(Kind.CHECKPOINT, text));
    for (RunningAttempt<?> lost : changes.lost(run.job())) {
      add(of(Kind.LOST, lost, "lost, lives on as a zombie", List.of()));
    }
    for (RunningAttempt<?> dead : changes.dead()) {
      add(of(Kind.DIED, dead, "process killed", List.of()));
    }
  }

  private void takeAnomalies(Run run) {
    List<Anomaly> all = run.anomalies();
    for (; anomalies < all.size(); anomalies++) {
      Anomaly anomaly = all.get(anomalies);
      List<Long> ids = anomaly.records().stream().map(TestRecord::id).toList();
      add(
          new Event(
              steps.size(),
              Kind.ANOMALY,
              Event.JOB,
              Event.JOB,
              anomaly.verdict() + ": " + Secrets.masked(anomaly.found()),
              null,
              ids));
    }
  }

  private void flushCalls() {
    events.addAll(calls);
    calls.clear();
  }

  private void add(Kind kind, String text) {
    add(new Event(steps.size(), kind, Event.JOB, Event.JOB, text, null, List.of()));
  }

  private void add(Event event) {
    events.add(event);
    hash.event(event);
  }

  private Event of(Kind kind, RunningAttempt<?> attempt, String text, List<Long> records) {
    return new Event(steps.size(), kind, attempt.index(), attempt.attempt(), text, null, records);
  }

  /** What has been taken down. */
  public synchronized Trace trace() {
    return new Trace(schedule.parallelism(), steps, events);
  }
}
