package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Runs every schedule up to a bound, script by script and fault point by fault point. */
public final class Explorer {

  final Subject<?> subject;
  final Bound bound;
  final Cells cells = new Cells();
  final Workers workers;
  private final Tally tally = new Tally();
  private final Findings findings = new Findings();
  private final Replay replay;
  private final long begun = System.nanoTime();
  private volatile boolean stopped;
  private int scriptCount = 1;

  public Explorer(Subject<?> subject, Bound bound) {
    this.subject = subject;
    this.bound = bound;
    this.replay = new Replay(subject);
    this.workers =
        new Workers(Math.min(subject.concurrentRuns(), Runtime.getRuntime().availableProcessors()));
  }

  /**
   * The scripts whose every deviation is run. What does not depend on where records come from, such
   * as a rescale, goes wrong in one of them only.
   */
  public List<ScriptExploration> scripts() {
    Script keyed = new Script(bound.parallelism(), Source.KEYED, bound.checkpoints());
    Script forward =
        new Script(bound.parallelism(), Source.FORWARD, bound.checkpoints()).withoutRescale();
    Script rebalanced =
        new Script(bound.parallelism(), Source.REBALANCED, bound.checkpoints())
            .withoutRescale()
            .withoutZombies();
    List<Script> scripts =
        new ArrayList<>(
            List.of(keyed, keyed.bounded(), keyed.idle(), forward, forward.bounded(), rebalanced));
    if (bound.faults() > 1) {
      // A quick look leaves it out: nothing else in it is new.
      scripts.add(keyed.stopped());
    }
    scriptCount = scripts.size();
    return scripts.stream().map(script -> new ScriptExploration(this, script)).toList();
  }

  /** How many scripts there are. */
  int scriptCount() {
    return scriptCount;
  }

  boolean budgetLeft() {
    return !stopped && System.nanoTime() - begun < bound.budget().toNanos();
  }

  /** Adds what a subtree showed, in the order of the fault points, whoever ran it. */
  PointResult add(Subtree subtree) {
    tally.add(subtree.tally);
    cells.add(subtree.cells);
    List<Judgement> found = new ArrayList<>();
    for (Subtree.Suspect suspect : subtree.suspects) {
      accuse(suspect, found);
    }
    return new PointResult(
        subtree.tally.executedCount(),
        subtree.tally.refutedCount(),
        subtree.tally.inconclusiveCount(),
        found);
  }

  private void accuse(Subtree.Suspect suspect, List<Judgement> found) {
    Judgement replayed = replay.replay(suspect.schedule());
    if (replayed.verdict() != suspect.verdict()) {
      tally.inconclusive(
          "found " + suspect.verdict() + ", but its schedule gets " + replayed.describe());
      return;
    }
    if (findings.worthShortening(suspect.verdict())) {
      replayed = new Shrinker(replay, replayed).shrink();
      findings.keep(replayed);
    }
    found.add(replayed);
  }

  /** Runs everything that is left to run. */
  public Exploration exploreAll() {
    return exploreUntil(finding -> false);
  }

  /** Runs what is left to run, until there is a finding of the kind that is looked for. */
  public Exploration exploreUntil(Predicate<Judgement> wanted) {
    for (ScriptExploration script : scripts()) {
      for (FaultPoint point : script.points()) {
        if (script.explore(point).findings().stream().anyMatch(wanted)) {
          stopped = true;
          tally.cutShort();
          return result();
        }
      }
    }
    return result();
  }

  /** How each class of points has been covered so far. */
  public List<Coverage> coverage() {
    return cells.all().stream().map(Cell::coverage).toList();
  }

  /** What has been found so far. */
  public Exploration result() {
    Map<String, Long> firings = new TreeMap<>();
    List<String> unreached = new ArrayList<>();
    for (Cell cell : cells.all()) {
      firings.put(cell.toString(), cell.firings());
      if (bound.faults() > 0 && cell.unreached() > 0) {
        unreached.add(cell.toString());
      }
    }
    return new Exploration(
        bound,
        tally.executedCount(),
        tally.distinctCount(),
        tally.refutedCount(),
        tally.inconclusiveCount(),
        tally.whyInconclusive(),
        tally.randomCount(),
        tally.isCutShort(),
        findings.all(),
        firings,
        unreached,
        Duration.ofNanos(System.nanoTime() - begun));
  }
}
