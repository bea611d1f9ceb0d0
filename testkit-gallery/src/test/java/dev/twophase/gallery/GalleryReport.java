package dev.twophase.gallery;

import dev.twophase.testkit.Exploration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What the gallery showed, for people. */
final class GalleryReport {

  private final List<Refutation> kills = new ArrayList<>();
  private final List<String> explorations = new ArrayList<>();
  private long accusations;

  void killed(Refutation kill) {
    kills.add(kill);
  }

  void explored(GallerySink sink, Exploration exploration) {
    explorations.add(sink.name() + ": " + exploration.describe());
    accusations += exploration.refuted();
  }

  void print(int mutants) {
    explorations.forEach(System.out::println);
    System.out.println();
    System.out.println("mutant | verdict | rule | schedule | faults");
    kills.sort(Comparator.comparingInt(kill -> kill.mutant().number()));
    for (Refutation kill : kills) {
      System.out.println(kill.describe());
    }
    int mostFaults = kills.stream().mapToInt(Refutation::faults).max().orElse(0);
    System.out.printf(
        Locale.ROOT,
        "mutants killed %d/%d, max faults %d, median s %.2f, false accusations %d%n",
        kills.size(),
        mutants,
        mostFaults,
        Refutation.medianSeconds(kills),
        accusations);
  }
}
