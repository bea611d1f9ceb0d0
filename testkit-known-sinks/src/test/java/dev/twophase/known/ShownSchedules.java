package dev.twophase.known;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkUnderTest;
import java.util.function.Predicate;

/** Explores a sink, and says at the end of the build what that showed. */
final class ShownSchedules {

  private ShownSchedules() {}

  static Exploration of(
      String name, SinkUnderTest<?> sink, Bound bound, Predicate<Judgement> enough) {
    Exploration explored = SinkKit.of(sink).exploreUntil(bound, enough);
    StringBuilder text = new StringBuilder(name).append(": ").append(explored.describe());
    for (Judgement finding : explored.findings()) {
      text.append("\n  ").append(finding.describe().replace("\n", "\n  "));
    }
    System.out.println(text);
    return explored;
  }
}
