package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.explore.choice.Cell;
import dev.twophase.testkit.internal.explore.choice.Cells;
import dev.twophase.testkit.internal.explore.choice.Coverage;
import dev.twophase.testkit.internal.explore.choice.Kinds;
import dev.twophase.testkit.internal.explore.choice.Plan;
import dev.twophase.testkit.internal.explore.script.Script;
import dev.twophase.testkit.internal.explore.script.Script.Course;
import dev.twophase.testkit.internal.explore.script.Script.Freedom;
import dev.twophase.testkit.internal.explore.script.Trial;
import dev.twophase.testkit.internal.run.LateReads;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Source;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Runs every schedule up to a bound: those of one fault before those of two, script by script and
 * fault point by fault point; then some with more faults, at random.
 */
public final class Explorer {

  /** Calls that hang are repeated as slowly as they were made. */
  private static final Duration MOST_TIME_TO_REPEAT = Duration.ofSeconds(10);

  private static final Duration LEAST_TIME_TO_SHORTEN = Duration.ofSeconds(10);

  final Subject<?> subject;
  final Bound bound;
  final Cells cells;
  final Workers workers;
  final LateReads late;
  private final Tally tally = new Tally();
  private final Findings findings = new Findings();
  private final Replay replay;
  private final long since = System.nanoTime();
  private final List<Schedule> unrepeated = new ArrayList<>();
  private final Deque<Integer> unfinishedDepths = new ArrayDeque<>();
  private boolean begun;
  private int completed = -1;
  private volatile boolean stopped;

  public Explorer(Subject<?> subject, Bound bound) {
    this.subject = subject;
    this.bound = bound;
    this.cells = new Cells(new Kinds(subject.additionalKinds()));
    this.replay = new Replay(subject);
    this.late = new LateReads(subject.claims().visibilityDelay(), bound.budget());
    this.workers = new Workers(workersFor(subject.concurrentRuns()));
  }

  private static int workersFor(int concurrentRuns) {
    return concurrentRuns == Integer.MAX_VALUE
        ? Runtime.getRuntime().availableProcessors()
        : concurrentRuns;
  }

  /**
   * What is to be explored, in this order: a budget that ends it in the middle leaves out what is
   * least likely to show something new.
   */
  public List<ScriptExploration> explorations() {
    List<ScriptExploration> all = new ArrayList<>();
    for (int depth = Math.min(1, bound.faults()); depth <= bound.faults(); depth++) {
      for (Script script : scripts()) {
        // One fault in the script that only deeper explorations run is run there, with the others.
        int fewest = depth == 1 || script.stops() ? 0 : depth;
        if (depth > 1 || !script.stops()) {
          all.add(new ScriptExploration(this, script, fewest, depth, 0));
          unfinishedDepths.add(depth);
        }
      }
    }
    if (bound.random() > 0) {
      List<Script> scripts = scripts();
      int each = bound.random() / scripts.size();
      scripts.forEach(
          script ->
              all.add(new ScriptExploration(this, script, bound.faults(), bound.faults(), each)));
    }
    return all;
  }

  /**
   * The scripts whose every deviation is run. What does not depend on where records come from, such
   * as a rescale, goes wrong in one of them only.
   */
  private List<Script> scripts() {
    int parallelism = bound.parallelism();
    int checkpoints = bound.checkpoints();
    Set<Freedom> none = Set.of();
    Script keyed = new Script(parallelism, Source.KEYED, checkpoints, freedoms());
    Script forward = new Script(parallelism, Source.FORWARD, checkpoints, Set.of(Freedom.ZOMBIES));
    List<Script> scripts =
        new ArrayList<>(
            List.of(
                keyed,
                keyed.ending(Course.BOUNDED, none),
                keyed.ending(Course.IDLE, none),
                forward,
                forward.ending(Course.BOUNDED, none),
                new Script(parallelism, Source.REBALANCED, checkpoints, none)));
    if (bound.faults() > 1) {
      // A quick look leaves it out: nothing else in it is new.
      scripts.add(keyed.ending(Course.STOPPED, Set.of(Freedom.RESCALE)));
    }
    return scripts;
  }

  /** All schedules of one script with so many faults have been run, or begun too late to be. */
  void finished(int depth) {
    unfinishedDepths.removeFirstOccurrence(depth);
    boolean all = !unfinishedDepths.contains(depth);
    if (all && !tally.isCutShort() && tally.inconclusiveCount() == 0) {
      completed = Math.max(completed, depth);
    }
  }

  /** What may happen in one script, so that it is not run again and again in the others. */
  private Set<Freedom> freedoms() {
    Set<Freedom> freedoms =
        EnumSet.of(Freedom.RESCALE, Freedom.ZOMBIES, Freedom.SAVEPOINTS, Freedom.CLOCK);
    Set<ExternalEvent> events = subject.externalEvents();
    if (subject.claims().rewind().isPresent()) {
      freedoms.add(Freedom.REWIND);
    }
    if (subject.toleratesNeighbours()) {
      freedoms.add(Freedom.NEIGHBOUR);
    }
    if (events.contains(ExternalEvent.DOWN)) {
      freedoms.add(Freedom.OUTAGE);
    }
    if (events.contains(ExternalEvent.EXPIRE)) {
      freedoms.add(Freedom.EXPIRY);
    }
    return freedoms;
  }

  /** Whether a script is left out because the budget is used up; the first never is. */
  boolean leavesOut() {
    if (!begun || budgetLeft()) {
      begun = true;
      return false;
    }
    tally.cutShort();
    return true;
  }

  /** Whether anything more may be begun. */
  public boolean budgetLeft() {
    return !stopped && System.nanoTime() - since < bound.budget().toNanos();
  }

  /** Adds what a subtree showed, in the order of the fault points, whoever ran it. */
  PointResult add(Subtree subtree) {
    tally.add(subtree.tally);
    cells.add(subtree.cells);
    List<Judgement> found = new ArrayList<>();
    List<Judgement> more = new ArrayList<>(0);
    subtree.suspects().forEach((verdict, alike) -> accuse(subtree, verdict, alike, found, more));
    found.sort(Findings.SIMPLEST);
    return new PointResult(
        subtree.tally.executedCount(),
        subtree.tally.refutedCount(),
        subtree.tally.inconclusiveCount(),
        found,
        more);
  }

  /** Reports the first of several schedules that accuses the sink again when it is repeated. */
  private void accuse(
      Subtree subtree,
      Verdict verdict,
      List<Subtree.Suspect> alike,
      List<Judgement> found,
      List<Judgement> more) {
    Judgement first = null;
    long enough = System.nanoTime() + MOST_TIME_TO_REPEAT.toNanos();
    for (Subtree.Suspect suspect : alike) {
      Judgement repeated = replay.replay(subtree.write(suspect.plan()));
      if (repeated.verdict().accuses()) {
        report(repeated, found, more);
        return;
      }
      first = first == null ? repeated : first;
      if (System.nanoTime() > enough) {
        break;
      }
    }
    if (first != null) {
      tally.inconclusive(
          "found "
              + verdict
              + ": "
              + alike.get(0).found()
              + "; but its schedule, '"
              + first.schedule()
              + "', gets "
              + first.verdict()
              + ": "
              + first.why());
      unrepeated.add(first.schedule());
    }
  }

  private void report(Judgement repeated, List<Judgement> found, List<Judgement> more) {
    if (!findings.worthShortening(repeated)) {
      more.add(repeated);
      return;
    }
    Judgement shown = new Shrinker(replay, repeated, timeToShorten()).shrink();
    if (!repeats(subject, shown)) {
      return;
    }
    Judgement told = findings.isNew(shown) ? withSources(shown) : shown;
    (findings.keep(told) ? found : more).add(told);
  }

  /**
   * Says from which other kinds of source the same is found, so that it need not be found once for
   * each. One subtask gets the same from all of them; and what hangs is not waited for again.
   */
  private Judgement withSources(Judgement shown) {
    Schedule schedule = shown.schedule();
    if (schedule.parallelism() == 1 || shown.verdict() == Verdict.WEDGE || !budgetLeft()) {
      return shown;
    }
    List<String> others = new ArrayList<>();
    for (Source source : Source.values()) {
      if (source != schedule.source() && accusesFrom(source, shown)) {
        others.add("src=" + source.word());
      }
    }
    return others.isEmpty()
        ? shown
        : Findings.retold(shown, shown.why() + "; the same with " + String.join(" and ", others));
  }

  private boolean accusesFrom(Source source, Judgement shown) {
    Schedule schedule = shown.schedule();
    if (source != Source.FORWARD && Shrinker.restartsOne(schedule.steps())) {
      return false;
    }
    Schedule other = new Schedule(schedule.parallelism(), source, schedule.steps());
    return replay.replay(other).verdict() == shown.verdict();
  }

  /**
   * Runs a schedule that no script leads to, and shortens it, within the budget, if it accuses the
   * sink. It counts as if it had been explored.
   */
  public Judgement runBesides(Schedule schedule) {
    Judgement judged = replay.refusingIdleSteps().replay(schedule);
    tally.executed(0, false);
    if (judged.verdict() == Verdict.INCONCLUSIVE) {
      tally.inconclusive(judged.why());
    }
    if (!judged.verdict().accuses()) {
      return judged;
    }
    tally.refuted();
    Judgement shown = new Shrinker(replay, judged, timeToShorten()).shrink();
    findings.keep(shown);
    return shown;
  }

  /**
   * What became visible late, in runs that had passed: one of each verdict, shortened with the
   * delay waited out in each run. To be asked for last, as it ends the waiting of all.
   */
  public List<Judgement> lateFindings() {
    Subject<?> patient = subject.waitingOutDelays();
    Replay waiting = new Replay(patient);
    List<Judgement> found = new ArrayList<>(0);
    Set<Verdict> known = EnumSet.noneOf(Verdict.class);
    for (LateReads.Suspect suspect : late.finish()) {
      tally.refuted();
      if (known.contains(suspect.found().verdict())) {
        continue;
      }
      Judgement repeated = waiting.replay(suspect.schedule().get());
      if (!repeated.verdict().accuses()) {
        tally.inconclusive(
            "found late: " + suspect.found().found() + "; but not when it was repeated");
        unrepeated.add(repeated.schedule());
        continue;
      }
      known.add(suspect.found().verdict());
      Judgement shown = new Shrinker(waiting, repeated, timeToShorten()).shrink();
      if (repeats(patient, shown) && findings.keep(shown)) {
        found.add(shown);
      }
    }
    return found;
  }

  /** What is found at the end of a budget is shortened too, unless that takes long. */
  private Duration timeToShorten() {
    Duration left = bound.budget().minusNanos(System.nanoTime() - since);
    return left.compareTo(LEAST_TIME_TO_SHORTEN) > 0 ? left : LEAST_TIME_TO_SHORTEN;
  }

  /** On real servers, where no two runs are the same, what accuses a sink must do so each time. */
  private boolean repeats(Subject<?> repeated, Judgement shown) {
    if (!repeated.realServers()) {
      return true;
    }
    Repetition repetition = Repetition.of(repeated, shown.schedule());
    if (repetition.conclusive()) {
      return true;
    }
    tally.inconclusive("found " + shown.title() + ", but " + repetition.describe());
    unrepeated.add(shown.schedule());
    return false;
  }

  /** Something went wrong in the kit itself, or in the process: there is more than was run. */
  RuntimeException brokenOff(Throwable why) {
    String text = "the exploration ended with " + why;
    tally.inconclusive(text);
    // What JUnit takes for the end of the process would end the tests of others as well.
    return why instanceof RuntimeException thrown ? thrown : new IllegalStateException(text, why);
  }

  /** Runs everything that is left to run. */
  public Exploration exploreAll() {
    return exploreUntil(finding -> false);
  }

  /** Runs what is left to run, until there is a finding of the kind that is looked for. */
  public Exploration exploreUntil(Predicate<Judgement> wanted) {
    for (ScriptExploration script : explorations()) {
      for (FaultPoint point : script.points()) {
        if (script.explore(point).shows(wanted)) {
          stopped = true;
          tally.cutShort();
          lateFindings();
          return result();
        }
      }
    }
    lateFindings();
    return result();
  }

  /** What was read again for the sake of late copies; empty if the sink declares no delay. */
  public Optional<String> lateReads() {
    return Optional.of(late).filter(LateReads::any).map(LateReads::describe);
  }

  /** The first schedule of all, in which nothing goes wrong. */
  public Schedule faultless() {
    return new Trial(subject, scripts().get(0), cells.empty()).write(Plan.NONE);
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
        tally.mistakesOfTest(),
        tally.whyInconclusive(),
        tally.randomCount(),
        tally.isCutShort(),
        completed,
        findings.all(),
        unrepeated,
        firings,
        unreached,
        Duration.ofNanos(System.nanoTime() - since));
  }
}
