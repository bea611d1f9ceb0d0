package dev.twophase.testkit;

import dev.twophase.testkit.internal.oracle.Printable;
import dev.twophase.testkit.internal.trace.Secrets;
import dev.twophase.testkit.schedule.Schedule;
import java.util.List;
import java.util.Set;

/**
 * What became of one run of a schedule.
 *
 * @param schedule what was run
 * @param verdict the most severe thing that was found
 * @param found every kind of thing that was found, {@code verdict} among them
 * @param rules the protocol rules of which one is broken, the likeliest first; empty unless {@code
 *     verdict} accuses
 * @param records the records concerned
 * @param why what was seen and when, in one sentence
 */
public record Judgement(
    Schedule schedule,
    Verdict verdict,
    Set<Verdict> found,
    List<String> rules,
    List<TestRecord> records,
    String why) {

  public Judgement {
    found = Set.copyOf(found);
    rules = List.copyOf(rules);
    records = List.copyOf(records);
    why = Printable.shortened(Printable.of(Secrets.masked(why)));
  }

  /** Verdict and likeliest rule, such as {@code DUPLICATE (C2)}. */
  public String title() {
    return rules.isEmpty() ? verdict.name() : verdict + " (" + rules.get(0) + ")";
  }

  /** All that a sink's author needs, on several lines. */
  public String describe() {
    // A shell takes the '!' of a fault for a command of its own, unless in such quotes.
    return describe("-D" + SinkKit.REPLAY_PROPERTY + "='" + schedule + "'");
  }

  /**
   * The same.
   *
   * @param replay how to run the schedule again
   */
  public String describe(String replay) {
    StringBuilder text = new StringBuilder();
    text.append(verdict);
    if (!rules.isEmpty()) {
      text.append(", rule ").append(String.join(" or ", rules));
    }
    text.append(": ").append(why);
    if (!records.isEmpty()) {
      text.append("\n  records:  ").append(Printable.of(records));
    }
    text.append("\n  schedule: ").append(schedule);
    text.append("\n  replay:   ").append(replay);
    return text.toString();
  }
}
