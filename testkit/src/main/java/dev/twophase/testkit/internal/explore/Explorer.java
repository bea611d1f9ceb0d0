package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs every schedule up to a bound, script by script and fault point by fault point. */
public final class Explorer {

  private static final int INPUT_PER_SUBTASK = 2;

  final Subject<?> subject;
  final Bound bound;
  final Cells cells = new Cells();
  final Tally tally = new Tally();
  final Replay replay;
  private final long begun = System.nanoTime();

  public Explorer(Subject<?> subject, Bound bound) {
    this.subject = subject;
    this.bound = bound;
    this.replay = new Replay(subject);
  }

  /** The scripts whose every deviation is run. */
  public List<ScriptExploration> scripts() {
    List<ScriptExploration> scripts = new ArrayList<>();
    scripts.add(script(Source.KEYED, false, false));
    scripts.add(script(Source.KEYED, true, false));
    scripts.add(script(Source.KEYED, false, true));
    scripts.add(script(Source.FORWARD, false, false));
    scripts.add(script(Source.FORWARD, true, false));
    scripts.add(script(Source.REBALANCED, false, false));
    return scripts;
  }

  private ScriptExploration script(Source source, boolean endsInput, boolean idleLast) {
    Script script =
        new Script(
            bound.parallelism(),
            source,
            bound.checkpoints(),
            INPUT_PER_SUBTASK,
            endsInput,
            idleLast);
    return new ScriptExploration(this, script);
  }

  boolean budgetLeft() {
    boolean left = System.nanoTime() - begun < bound.budget().toNanos();
    if (!left) {
      tally.cutShort();
    }
    return left;
  }

  /** Shortens what was found. */
  Judgement shrink(Judgement found) {
    return found.verdict().accuses() ? new Shrinker(replay, found).shrink() : found;
  }

  /** Runs everything that is left to run. */
  public Exploration exploreAll() {
    for (ScriptExploration script : scripts()) {
      for (FaultPoint point : script.points()) {
        script.explore(point);
      }
    }
    return result();
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
        tally.isCutShort(),
        tally.findings(),
        firings,
        unreached,
        Duration.ofNanos(System.nanoTime() - begun));
  }
}
