package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.explore.choice.Choices;
import dev.twophase.testkit.internal.explore.choice.Plan;
import dev.twophase.testkit.internal.explore.script.Script;
import dev.twophase.testkit.internal.explore.script.Trial;
import dev.twophase.testkit.schedule.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All deviations from one script with so many faults, or some at random with more. */
public final class ScriptExploration {

  private static final int RANDOM_BLOCK = 250;
  private static final long SEEDS_APART = 1_000_000;

  private final Explorer explorer;
  private final Script script;
  private final int fewest;
  private final int most;
  private final int random;
  private final Map<FaultPoint, Future<Subtree>> begun = new HashMap<>();
  private int left;

  /**
   * @param fewest schedules with fewer faults are left to others
   * @param most schedules with more faults are, too
   * @param random how many with more than that are chosen at random instead; 0 for none
   */
  ScriptExploration(Explorer explorer, Script script, int fewest, int most, int random) {
    this.explorer = explorer;
    this.script = script;
    this.fewest = fewest;
    this.most = most;
    this.random = random;
  }

  /** The script and the number of faults, for people. */
  public String name() {
    if (random > 0) {
      return script + ", more than " + faults(most) + " at random";
    }
    return fewest > 1 ? script + ", " + faults(fewest) : script.toString();
  }

  private static String faults(int count) {
    return count == 1 ? "1 fault" : count + " faults";
  }

  /** The points at which the first fault may happen, found by a run without any. */
  public List<FaultPoint> points() {
    try {
      return begin();
    } catch (RuntimeException | Error e) {
      throw explorer.brokenOff(e);
    }
  }

  private List<FaultPoint> begin() {
    if (explorer.leavesOut()) {
      return List.of();
    }
    Trial trial = new Trial(explorer.subject, script, explorer.cells);
    trial.run(Plan.NONE, "", true);
    Choices.Point[] places = trial.points(false);
    if (most > 0) {
      // Should the budget never come to them, they are known as points that were not reached.
      for (Choices.Point place : places) {
        place.cell().offers(place.options());
      }
    }
    List<FaultPoint> points = random > 0 ? atRandom() : startingAt(places);
    for (FaultPoint point : points) {
      begun.put(point, explorer.workers.begin(subtree(point, trial, places.length)));
    }
    left = points.size();
    return points;
  }

  private List<FaultPoint> startingAt(Choices.Point[] places) {
    List<FaultPoint> points = inOrder(places);
    if (fewest > 0) {
      points.remove(FaultPoint.NONE);
    }
    return points;
  }

  private List<FaultPoint> inOrder(Choices.Point[] places) {
    List<FaultPoint> points = new ArrayList<>(places.length + 1);
    points.add(FaultPoint.NONE);
    Map<String, Integer> alike = new HashMap<>();
    for (Choices.Point place : places) {
      int before = alike.merge(place.cell().toString(), 1, Integer::sum) - 1;
      points.add(FaultPoint.at(place, before));
    }
    // A budget that ends early leaves out the repetitions of what was struck, not the commit.
    points.sort(most > 1 ? FaultPoint.SCENES_FIRST : FaultPoint.BREADTH_FIRST);
    return points;
  }

  /**
   * Every schedule with one fault at most, as it is written; run to that end as it is asked for.
   */
  public Stream<Schedule> withOneFault() {
    Trial trial = new Trial(explorer.subject, script, explorer.cells.empty());
    trial.run(Plan.NONE, "", true);
    return inOrder(trial.points(false)).stream()
        .flatMap(
            point -> {
              Choices.Point place = point.point();
              return place == null
                  ? Stream.of(Plan.NONE)
                  : IntStream.range(1, place.options())
                      .mapToObj(option -> Plan.NONE.with(place, option));
            })
        .map(trial::write);
  }

  /** In blocks, so that several can be run at once. */
  private List<FaultPoint> atRandom() {
    List<FaultPoint> blocks = new ArrayList<>();
    for (int done = 0; done < random; done += RANDOM_BLOCK) {
      int count = Math.min(random - done, RANDOM_BLOCK);
      blocks.add(FaultPoint.random(count, explorer.bound.seed() * SEEDS_APART + done));
    }
    return blocks;
  }

  private Subtree subtree(FaultPoint point, Trial faultless, int places) {
    return new Subtree(
        explorer.subject,
        script,
        fewest,
        most,
        point,
        faultless,
        places,
        explorer.cells.empty(),
        explorer.late,
        explorer::budgetLeft);
  }

  /**
   * Runs all schedules, up to the bound, whose first fault happens at a point.
   *
   * @return what they showed, one of each verdict, shortened unless there was much of it before
   */
  public PointResult explore(FaultPoint point) {
    Future<Subtree> known = begun.remove(point);
    if (known == null) {
      throw new IllegalArgumentException("none of points(), or explored before: " + point);
    }
    PointResult result;
    try {
      result = explorer.add(explorer.workers.finish(known));
    } catch (RuntimeException | Error e) {
      throw explorer.brokenOff(e);
    }
    if (--left == 0 && random == 0) {
      explorer.finished(most);
    }
    return result;
  }

  /**
   * What the schedules of one fault point showed.
   *
   * @param schedules number of them
   * @param refuted number of them that accuse the sink
   * @param inconclusive number of them that prove nothing
   * @param findings what was not found before, shortened, the simplest first
   * @param more what was: the same schedule once it is shortened, or another with the same verdict
   *     and rule, when there were so many before that it is as it was found
   */
  public record PointResult(
      long schedules,
      long refuted,
      long inconclusive,
      List<Judgement> findings,
      List<Judgement> more) {
    public PointResult {
      findings = List.copyOf(findings);
      more = List.copyOf(more);
    }

    /** Whether any of them is what is looked for. */
    boolean shows(Predicate<Judgement> wanted) {
      return findings.stream().anyMatch(wanted) || more.stream().anyMatch(wanted);
    }
  }
}
