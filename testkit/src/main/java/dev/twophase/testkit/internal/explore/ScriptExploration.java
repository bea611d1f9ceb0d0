package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** All deviations from one script. */
public final class ScriptExploration {

  private final Explorer explorer;
  private final Script script;
  private final Trial trial;

  ScriptExploration(Explorer explorer, Script script) {
    this.explorer = explorer;
    this.script = script;
    this.trial = new Trial(explorer.subject, script, explorer.cells);
  }

  /** The script, for people. */
  public String name() {
    return script.toString();
  }

  /** The points at which the first fault may happen, found by a run without any. */
  public List<FaultPoint> points() {
    List<FaultPoint> points = new ArrayList<>();
    points.add(FaultPoint.NONE);
    trial.run(Plan.NONE);
    for (Choices.Point point : trial.points()) {
      points.add(new FaultPoint(point.describe(), point));
    }
    return points;
  }

  /**
   * Runs all schedules, up to the bound, whose first fault happens at a point.
   *
   * @return what they showed, one of each verdict, shortened unless there was much of it before
   */
  public PointResult explore(FaultPoint faultPoint) {
    PointResult result = new PointResult();
    Choices.Point point = faultPoint.point();
    if (point == null) {
      run(Plan.NONE, result);
    } else if (explorer.bound.faults() > 0) {
      for (int option = 1; option < point.options(); option++) {
        descend(Plan.NONE, point, option, result);
      }
    }
    return result;
  }

  private void descend(Plan before, Choices.Point point, int option, PointResult result) {
    if (!explorer.budgetLeft()) {
      return;
    }
    Plan plan = before.with(point, option);
    Cell cell = point.cell();
    cell.offers(point.options());
    run(plan, result);
    if (trial.inconclusive() == null) {
      if (trial.allFired()) {
        cell.fired(option);
      } else {
        cell.impossible(option);
      }
    }
    for (Choices.Point next : trial.points()) {
      if (next.free() || plan.faults() < explorer.bound.faults()) {
        for (int deeper = 1; deeper < next.options(); deeper++) {
          descend(plan, next, deeper, result);
        }
      }
    }
  }

  private void run(Plan plan, PointResult result) {
    trial.run(plan);
    result.schedules++;
    Verdict verdict = trial.verdict();
    explorer.tally.executed(trial.trace(), plan.faults() > 0 && trial.allFired());
    String why = trial.inconclusive();
    if (verdict.accuses()) {
      explorer.tally.refuted();
      result.refuted++;
      if (result.verdicts.add(verdict)) {
        accuse(plan, verdict, result);
      }
    } else if (why != null) {
      explorer.tally.inconclusive(why);
      result.inconclusive++;
    }
  }

  private void accuse(Plan plan, Verdict verdict, PointResult result) {
    Judgement replayed = explorer.replay.replay(trial.write(plan));
    if (replayed.verdict() != verdict) {
      explorer.tally.inconclusive(
          "found " + verdict + ", but its schedule gets " + replayed.describe());
      return;
    }
    if (!explorer.tally.worthShortening(verdict)) {
      result.findings.add(replayed);
      return;
    }
    Judgement shortest = explorer.shrink(replayed);
    explorer.tally.keep(shortest);
    result.findings.add(shortest);
  }

  /** What the schedules of one fault point showed. */
  public static final class PointResult {

    private final Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
    private final List<Judgement> findings = new ArrayList<>();
    private long schedules;
    private long refuted;
    private long inconclusive;

    public long schedules() {
      return schedules;
    }

    public long refuted() {
      return refuted;
    }

    public long inconclusive() {
      return inconclusive;
    }

    public List<Judgement> findings() {
      return findings;
    }
  }
}
