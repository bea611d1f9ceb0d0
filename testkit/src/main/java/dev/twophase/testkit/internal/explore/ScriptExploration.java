package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.schedule.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

/** All deviations from one script. */
public final class ScriptExploration {

  private final Explorer explorer;
  private final Script script;
  private static final int RANDOM_BLOCK = 250;
  private static final long SEEDS_APART = 1_000_000;

  private final Map<FaultPoint, Future<Subtree>> begun = new HashMap<>();
  private int places;

  ScriptExploration(Explorer explorer, Script script) {
    this.explorer = explorer;
    this.script = script;
  }

  /** The script, for people. */
  public String name() {
    return script.toString();
  }

  /** The points at which the first fault may happen, found by a run without any. */
  public List<FaultPoint> points() {
    Trial trial = new Trial(explorer.subject, script, explorer.cells);
    trial.run(Plan.NONE);
    List<FaultPoint> points = new ArrayList<>();
    points.add(FaultPoint.NONE);
    for (Choices.Point point : trial.points(false)) {
      points.add(FaultPoint.at(point));
    }
    addRandom(points, trial.points(false).length);
    for (FaultPoint point : points) {
      begun.put(point, explorer.workers.begin(subtree(point)));
    }
    return points;
  }

  /** Every schedule with one fault at most, as it is written. */
  public List<Schedule> withOneFault() {
    Trial trial = new Trial(explorer.subject, script, new Cells());
    trial.run(Plan.NONE);
    Choices.Point[] points = trial.points(false);
    List<Schedule> schedules = new ArrayList<>();
    schedules.add(trial.write(Plan.NONE));
    for (Choices.Point point : points) {
      for (int option = 1; option < point.options(); option++) {
        schedules.add(trial.write(Plan.NONE.with(point, option)));
      }
    }
    return schedules;
  }

  /** In blocks, so that several can be run at once. */
  private void addRandom(List<FaultPoint> points, int places) {
    this.places = places;
    int left = explorer.bound.random() / explorer.scriptCount();
    for (long block = 0; left > 0; block++) {
      int count = Math.min(left, RANDOM_BLOCK);
      points.add(
          FaultPoint.random(count, explorer.bound.seed() * SEEDS_APART + block * RANDOM_BLOCK));
      left -= count;
    }
  }

  private Subtree subtree(FaultPoint point) {
    return new Subtree(
        explorer.subject, script, explorer.bound, point, places, explorer::budgetLeft);
  }

  /**
   * Runs all schedules, up to the bound, whose first fault happens at a point.
   *
   * @return what they showed, one of each verdict, shortened unless there was much of it before
   */
  public PointResult explore(FaultPoint point) {
    Future<Subtree> known = begun.remove(point);
    Subtree subtree = known == null ? subtree(point).call() : explorer.workers.finish(known);
    return explorer.add(subtree);
  }

  /**
   * What the schedules of one fault point showed.
   *
   * @param schedules number of them
   * @param refuted number of them that accuse the sink
   * @param inconclusive number of them that prove nothing
   * @param findings one for each verdict
   */
  public record PointResult(
      long schedules, long refuted, long inconclusive, List<Judgement> findings) {
    public PointResult {
      findings = List.copyOf(findings);
    }
  }
}
