package dev.twophase.testkit;

import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.schedule.Schedule;
import java.util.function.Predicate;

/**
 * The kit without JUnit: runs one schedule, or all up to a bound. Not thread-safe.
 *
 * @param <IN> type of the sink's records
 */
public final class SinkKit<IN> {

  /**
   * The system property that makes contract tests run this one schedule. With the name of a test
   * class and a colon before the line, as failures print it, all others run as ever.
   */
  public static final String REPLAY_PROPERTY = "twophase.schedule";

  private final Subject<IN> subject;

  private SinkKit(Subject<IN> subject) {
    this.subject = subject;
  }

  /** A kit for this sink. */
  public static <IN> SinkKit<IN> of(SinkUnderTest<IN> sink) {
    return new SinkKit<>(new Subject<>(sink));
  }

  /**
   * Runs one schedule in a fresh namespace. A planned fault that does not fire makes it {@link
   * Verdict#INCONCLUSIVE}; a step without effect is passed over, which {@link ScheduleTest} and the
   * replay property hold for a mistake. Takes as long as the sink's declared visibility delay, in
   * case a second copy becomes visible at its end. On real servers what accuses the sink is run
   * five times, and is {@link Verdict#INCONCLUSIVE} unless each gets the same verdict.
   *
   * @param line its one-line form, see {@link Schedule}
   * @throws dev.twophase.testkit.schedule.ScheduleSyntaxException if it is not one
   */
  public Judgement replay(String line) {
    Subject<IN> patient = subject.waitingOutDelays();
    return Repetition.confirmed(patient, new Replay(patient).replay(Schedule.parse(line)));
  }

  /** Runs every schedule up to a bound, each in a fresh namespace. */
  public Exploration explore(Bound bound) {
    return new Explorer(subject, bound).exploreAll();
  }

  /**
   * The same, until there is a finding of the kind that is looked for: to refute a sink takes less
   * than to explore it. What is reported then is cut short.
   */
  public Exploration exploreUntil(Bound bound, Predicate<Judgement> wanted) {
    return new Explorer(subject, bound).exploreUntil(wanted);
  }
}
