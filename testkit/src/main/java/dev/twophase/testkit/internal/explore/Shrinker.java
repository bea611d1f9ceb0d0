package dev.twophase.testkit.internal.explore;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.schedule.Fault;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.ScheduleSyntaxException;
import dev.twophase.testkit.schedule.Source;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Shortens a schedule as long as it gets the same verdict, until no single step, fault or record
 * can be left out.
 */
public final class Shrinker {

  private static final int MOST_REPLAYS = 2_000;

  /** Each replay of a schedule in which a sink hangs takes as long as its calls may block. */
  private static final Duration MOST_TIME = Duration.ofMinutes(1);

  private final Replay replay;
  private final long mostNanos;
  private Judgement best;
  private int replays;
  private final long begun = System.nanoTime();

  public Shrinker(Replay replay, Judgement found) {
    this(replay, found, MOST_TIME);
  }

  /**
   * The same.
   *
   * @param budget after which nothing more is tried, if that is less than shortening may take
   *     anyway: what has been reached by then is shown
   */
  public Shrinker(Replay replay, Judgement found, Duration budget) {
    this.replay = replay;
    this.best = found;
    this.mostNanos = Math.min(budget.toNanos(), MOST_TIME.toNanos());
  }

  /** The judgement of the shortest schedule. */
  public Judgement shrink() {
    boolean shorter = true;
    while (shorter && replays < MOST_REPLAYS) {
      shorter = dropChunks();
      shorter |= dropFaults();
      shorter |= lowerNumbers();
      shorter |= lowerParallelism();
      shorter |= dropSource();
    }
    renumber();
    return best;
  }

  /**
   * How records reach the sink is left out, too, where it makes no difference: all subtasks then
   * fail over together.
   */
  private boolean dropSource() {
    Schedule schedule = best.schedule();
    return schedule.source() != Source.KEYED
        && accept(
            () ->
                new Schedule(
                    schedule.parallelism(), Source.KEYED, restartedTogether(schedule.steps())));
  }

  private static List<Step> restartedTogether(List<Step> steps) {
    List<Step> together = new ArrayList<>(steps.size());
    for (Step step : steps) {
      boolean alone = step.verb() == Verb.UP && step.subtask() >= 0;
      Step next = alone ? ofJob(step) : step;
      if (!alone || !together.contains(next)) {
        together.add(next);
      }
    }
    return together;
  }

  /** Whether a subtask is restarted alone. */
  static boolean restartsOne(List<Step> steps) {
    return steps.stream().anyMatch(step -> step.verb() == Verb.UP && step.subtask() >= 0);
  }

  /** The restart of all subtasks in place of one, with the same faults. */
  private static Step ofJob(Step up) {
    List<Fault> faults =
        up.faults().stream()
            .map(
                fault ->
                    fault.subtask() == Step.SAME
                        ? new Fault(
                            up.subtask(), fault.callClass(), fault.occurrence(), fault.kind())
                        : fault)
            .toList();
    return new Step(
        Verb.UP, Step.JOB, Step.LATEST, up.number(), up.word(), up.parallelism(), faults);
  }

  private boolean dropChunks() {
    boolean any = false;
    for (int size = Math.max(1, steps().size() / 2); size >= 1; size /= 2) {
      for (int from = steps().size() - size; from >= 0; from--) {
        List<Step> fewer = new ArrayList<>(steps());
        if (from + size > fewer.size()) {
          continue;
        }
        fewer.subList(from, from + size).clear();
        any |= accept(fewer);
      }
    }
    return any;
  }

  private boolean dropFaults() {
    boolean any = false;
    for (int i = 0; i < steps().size(); i++) {
      for (Fault fault : steps().get(i).faults()) {
        List<Fault> fewer = new ArrayList<>(steps().get(i).faults());
        fewer.remove(fault);
        any |= accept(replaced(i, steps().get(i).with(fewer)));
      }
    }
    return any;
  }

  private boolean lowerNumbers() {
    boolean any = false;
    for (int i = 0; i < steps().size(); i++) {
      Step step = steps().get(i);
      if (step.verb() == Verb.IN && step.number() > 1) {
        any |= accept(replaced(i, number(step, 1)));
      }
      if (step.parallelism() > 1) {
        any |= accept(replaced(i, step.rescaledTo(1)));
      }
      if (steps().get(i).parallelism() != Step.SAME) {
        any |= accept(replaced(i, steps().get(i).rescaledTo(Step.SAME)));
      }
    }
    return any;
  }

  private boolean lowerParallelism() {
    Schedule schedule = best.schedule();
    if (schedule.parallelism() == 1) {
      return false;
    }
    int fewer = schedule.parallelism() - 1;
    return accept(() -> new Schedule(fewer, schedule.source(), schedule.steps()))
        || accept(() -> new Schedule(1, schedule.source(), onFirst(schedule.steps())));
  }

  /** Everything that happens, happens to the first subtask. */
  private static List<Step> onFirst(List<Step> steps) {
    List<Step> moved = new ArrayList<>(steps.size());
    for (Step step : steps) {
      List<Fault> faults = new ArrayList<>(step.faults().size());
      for (Fault fault : step.faults()) {
        int subtask = fault.subtask() == Step.SAME ? Step.SAME : 0;
        faults.add(new Fault(subtask, fault.callClass(), fault.occurrence(), fault.kind()));
      }
      moved.add(
          new Step(
              step.verb(),
              Math.min(step.subtask(), 0),
              step.attempt(),
              step.number(),
              step.word(),
              step.parallelism(),
              faults));
    }
    return moved;
  }

  /** Numbers the checkpoints that are left from 1. */
  private void renumber() {
    List<Long> ids =
        steps().stream()
            .filter(Shrinker::hasCheckpoint)
            .map(Step::number)
            .filter(id -> id > 0)
            .distinct()
            .sorted()
            .toList();
    List<Step> renumbered = new ArrayList<>();
    for (Step step : steps()) {
      renumbered.add(
          hasCheckpoint(step) && step.number() > 0
              ? number(step, ids.indexOf(step.number()) + 1L)
              : step);
    }
    accept(renumbered);
  }

  private static boolean hasCheckpoint(Step step) {
    return switch (step.verb()) {
      case BAR, DONE, DOUBT, ABT, NTF, NAB, UP -> true;
      case IN, EOI, KILL, FAIL, LOSE, SAV, STOP, CLK, EXT, SETTLE -> false;
    };
  }

  private static Step number(Step step, long number) {
    return new Step(
        step.verb(),
        step.subtask(),
        step.attempt(),
        number,
        step.word(),
        step.parallelism(),
        step.faults());
  }

  private List<Step> steps() {
    return best.schedule().steps();
  }

  private List<Step> replaced(int index, Step step) {
    List<Step> changed = new ArrayList<>(steps());
    changed.set(index, step);
    return changed;
  }

  private boolean accept(List<Step> candidate) {
    return !candidate.equals(steps()) && accept(() -> best.schedule().with(candidate));
  }

  private boolean accept(Supplier<Schedule> candidate) {
    if (replays++ >= MOST_REPLAYS || System.nanoTime() - begun > mostNanos) {
      return false;
    }
    Optional<Schedule> schedule = wellFormed(candidate);
    if (schedule.isEmpty()) {
      return false;
    }
    Judgement judgement = replay.replay(schedule.get());
    if (judgement.verdict() != best.verdict()) {
      return false;
    }
    best = judgement;
    return true;
  }

  private static Optional<Schedule> wellFormed(Supplier<Schedule> candidate) {
    try {
      return Optional.of(candidate.get());
    } catch (ScheduleSyntaxException notOne) {
      return Optional.empty();
    }
  }
}
