package dev.twophase.gallery;

import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What the gallery showed, for people. */
final class GalleryReport {

  /** A mutant, the shortest schedule that refutes it, and how many faults that takes. */
  record Kill(Mutant mutant, Judgement judgement, int faults) {}

  private record Timed(Kill kill, long nanos) {}

  private final List<Timed> kills = new ArrayList<>();
  private final List<String> explorations = new ArrayList<>();
  private long accusations;

  void killed(Kill kill, long nanos) {
    kills.add(new Timed(kill, nanos));
  }

  void explored(GallerySink sink, Exploration exploration) {
    explorations.add(sink.name() + ": " + exploration.describe());
    accusations += exploration.refuted();
  }

  void print(int mutants) {
    explorations.forEach(System.out::println);
    System.out.println();
    System.out.println("mutant | verdict | rule | schedule | faults");
    kills.sort(Comparator.comparingInt(timed -> timed.kill().mutant().number()));
    for (Timed timed : kills) {
      Judgement judgement = timed.kill().judgement();
      System.out.println(
          String.join(
              " | ",
              timed.kill().mutant().toString(),
              judgement.verdict().name(),
              ruleOf(timed.kill()),
              judgement.schedule().toString(),
              String.valueOf(timed.kill().faults())));
    }
    int mostFaults = kills.stream().mapToInt(timed -> timed.kill().faults()).max().orElse(0);
    System.out.printf(
        Locale.ROOT,
        "mutants killed %d/%d, max faults %d, median s %.2f, false accusations %d%n",
        kills.size(),
        mutants,
        mostFaults,
        medianSeconds(),
        accusations);
  }

  private static String ruleOf(Kill kill) {
    return kill.judgement().rules().stream()
        .filter(kill.mutant().rules()::contains)
        .findFirst()
        .orElseThrow();
  }

  private double medianSeconds() {
    long[] sorted = kills.stream().mapToLong(Timed::nanos).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2] / 1e9;
  }
}
