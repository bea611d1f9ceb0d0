package dev.twophase.gallery;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import java.util.ArrayList;
import java.util.List;

/** How a mutant was refuted, in the smallest bound that takes. */
record Refutation(Mutant mutant, Judgement judgement, int faults, long nanos) {

  /** With the time that everybody's pull request has. */
  static final Bound BOUND = Bound.oneFault();

  /** Looks for it until it is found; fails if the mutant's bound is exhausted before. */
  static Refutation of(Mutant mutant) {
    long begun = System.nanoTime();
    List<String> others = new ArrayList<>();
    for (Bound bound : bounds(mutant.faults())) {
      Exploration exploration =
          SinkKit.of(mutant.sink()).exploreUntil(bound, finding -> isRight(mutant, finding));
      others.add(exploration.describe());
      for (Judgement finding : exploration.findings()) {
        if (isRight(mutant, finding)) {
          return new Refutation(mutant, finding, bound.faults(), System.nanoTime() - begun);
        }
        others.add(finding.describe());
      }
    }
    throw new AssertionError(mutant + " was not refuted:\n" + String.join("\n", others));
  }

  private static boolean isRight(Mutant mutant, Judgement judgement) {
    return mutant.verdicts().contains(judgement.verdict())
        && judgement.rules().stream().anyMatch(mutant.rules()::contains);
  }

  /** As few faults as possible, then as few schedules; no bound is part of a later one twice. */
  private static List<Bound> bounds(int mostFaults) {
    List<Bound> bounds = new ArrayList<>();
    for (int faults = 0; faults <= Math.min(1, mostFaults); faults++) {
      Bound bound = BOUND.withFaults(faults);
      if (mostFaults < 2 || faults == 0) {
        bounds.add(bound.withParallelism(1).withCheckpoints(1));
        bounds.add(bound.withParallelism(1));
        bounds.add(bound);
      }
    }
    if (mostFaults > 1) {
      Bound bound = BOUND.withFaults(mostFaults);
      bounds.add(bound.withParallelism(1));
      bounds.add(bound);
    }
    return bounds;
  }

  /** The one of the mutant's rules that was named as broken. */
  String rule() {
    return judgement.rules().stream().filter(mutant.rules()::contains).findFirst().orElseThrow();
  }

  /** One line: mutant, verdict, rule, schedule, faults. */
  String describe() {
    return String.join(
        " | ",
        mutant.toString(),
        judgement.verdict().name(),
        rule(),
        judgement.schedule().toString(),
        String.valueOf(faults));
  }

  static double medianSeconds(List<Refutation> refutations) {
    long[] sorted = refutations.stream().mapToLong(Refutation::nanos).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2] / 1e9;
  }
}
