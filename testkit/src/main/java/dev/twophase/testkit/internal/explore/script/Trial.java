package dev.twophase.testkit.internal.explore.script;

import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.choice.Cells;
import dev.twophase.testkit.internal.explore.choice.Choices;
import dev.twophase.testkit.internal.explore.choice.ChosenFaults;
import dev.twophase.testkit.internal.explore.choice.Plan;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.run.LateReads;
import dev.twophase.testkit.internal.run.Run;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.schedule.Schedule;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Runs one plan. The same instance serves one plan after the other. */
public final class Trial {

  /** What does not survive being shipped shows with few faults, and shipping takes its time. */
  private static final int MOST_FAULTS_SHIPPED = 1;

  private final Subject<?> subject;
  private final Script script;
  private final Cells cells;
  private final Steps steps = new Steps();
  private final Choices choices = new Choices();
  private Verdict verdict = Verdict.PASS;
  private String found = "";
  private @Nullable String inconclusive;
  private boolean mistakeOfTest;
  private boolean allFired;
  private long trace;
  private @Nullable String missed;
  private @Nullable Throwable died;
  private @Nullable LateReads late;
  private String kind = "";

  public Trial(Subject<?> subject, Script script, Cells cells) {
    this.subject = subject;
    this.script = script;
    this.cells = cells;
  }

  /** Has some of the runs that pass read once more, later. */
  public Trial lookingAgain(LateReads reads) {
    late = reads;
    return this;
  }

  /**
   * Runs a plan.
   *
   * @param last kind of the last fault
   * @param mayGrow whether {@link #points} will be asked for those that cost a fault
   */
  public void run(Plan plan, String last, boolean mayGrow) {
    kind = last;
    choices.begin(plan, mayGrow);
    keep(go(false, plan.faults() <= MOST_FAULTS_SHIPPED));
  }

  /** Runs a plan that is made in its course, and returns it. */
  public Plan runAtRandom(Random random, int faults, double rate) {
    kind = "";
    choices.beginAtRandom(random, faults, rate);
    keep(go(false, false));
    return choices.plan();
  }

  private void keep(ChosenFaults faults) {
    allFired = faults.allFired();
    trace = faults.trace();
    missed = choices.planFollowed() ? null : choices.missed();
  }

  /** Runs a plan again, to write down what it does. */
  public Schedule write(Plan plan) {
    choices.begin(plan, false);
    return new Schedule(script.parallelism(), script.source(), go(true, true).steps());
  }

  private ChosenFaults go(boolean recording, boolean shipped) {
    boolean freezes = script.may(Script.Freedom.ZOMBIES) && subject.freezesAttempts();
    ChosenFaults faults = new ChosenFaults(choices, cells, script.hashSeed(), freezes, recording);
    Run run = null;
    try {
      run = new Run(subject, script.parallelism(), script.source(), faults, shipped);
      new ScriptedRun(script, freezes, run, faults, choices, steps, cells).go();
      if (!recording) {
        verdict = run.verdict();
        Anomaly worst = run.worst();
        found = worst == null ? "" : worst.found() + ", seen " + worst.moment();
        inconclusive = run.inconclusive();
        mistakeOfTest = run.mistakeOfTest();
        died = run.job().lastError();
      }
    } catch (InconclusiveException e) {
      // It did not even begin.
      verdict = Verdict.INCONCLUSIVE;
      found = "";
      inconclusive = e.getMessage();
      mistakeOfTest = e.isMistakeOfTest();
    } finally {
      if (run != null && (recording || !isKept(run, faults))) {
        run.close();
      }
    }
    return faults;
  }

  private boolean isKept(Run run, ChosenFaults faults) {
    if (late == null || kind.isEmpty() || verdict != Verdict.PASS || !faults.allFired()) {
      return false;
    }
    Plan plan = choices.plan();
    return late.keep(run, kind, () -> new Trial(subject, script, cells.empty()).write(plan));
  }

  public Verdict verdict() {
    return verdict;
  }

  /** What the last run found that accuses the sink, in words; empty if it found nothing. */
  public String found() {
    return found;
  }

  /** Why the last run proves nothing; null if it does. */
  public @Nullable String inconclusive() {
    if (inconclusive == null && missed != null) {
      return "the run did not come to the planned fault, "
          + missed
          + ": the sink does not do the same each time"
          + (died == null ? "" : ", and here an attempt died of " + died);
    }
    return inconclusive;
  }

  /** Whether that is because a method failed that the sink's author wrote for the kit. */
  public boolean mistakeOfTest() {
    return mistakeOfTest;
  }

  /** Whether a call was to be struck in a thread of the sink's own, and did not come. */
  public boolean strikeMissed() {
    return choices.strikeMissed();
  }

  /** False if a call failed on its own where only the reply of a success was to be lost. */
  public boolean allFired() {
    return allFired;
  }

  public long trace() {
    return trace;
  }

  /** The points at which a longer plan than the last can deviate. */
  public Choices.Point[] points(boolean onlyFree) {
    return choices.points(onlyFree, cells);
  }
}
