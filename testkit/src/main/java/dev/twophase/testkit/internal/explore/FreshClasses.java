package dev.twophase.testkit.internal.explore;

import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats schedules with one fault, while each attempt loads the sink's classes anew: what passes
 * from one attempt to the next in a static field would not reach another process either.
 */
public final class FreshClasses {

  private final Subject<?> subject;
  private final Bound bound;

  /**
   * What came of it.
   *
   * @param repeated number of schedules
   * @param anew what each attempt loaded anew
   * @param finding what accuses the sink, and does not if attempts share their classes; null if
   *     nothing does
   * @param described for people
   */
  public record Result(
      int repeated, List<String> anew, @Nullable Judgement finding, String described) {}

  public FreshClasses(Subject<?> subject, Bound bound) {
    this.subject = subject;
    this.bound = bound.withFaults(1).withRandom(0, bound.seed());
  }

  /** Repeats what can be repeated in this time, and one schedule in any case. */
  public Result repeat(Duration budget) {
    long end = System.nanoTime() + budget.toNanos();
    if (!subject.loadedAnew().isEmpty()) {
      return none("every run did so, as isolatedClasses() declares");
    }
    if (subject.realServers()) {
      return none("not tried, as the sink uses real servers: declare isolatedClasses()");
    }
    Explorer explorer = new Explorer(subject, bound);
    Schedule faultless = explorer.faultless();
    List<String> failed = new ArrayList<>();
    for (List<String> anew : candidates()) {
      Subject<?> loadsAnew = subject.loadingAnew(anew);
      Replay fresh = new Replay(loadsAnew);
      Judgement alone = fresh.replay(faultless);
      if (alone.verdict() == Verdict.PASS) {
        return repeat(explorer, fresh, anew, end);
      }
      if (handsOver(loadsAnew, alone)) {
        return new Result(
            1,
            anew,
            explained(new Shrinker(fresh, alone).shrink(), anew),
            "refuted, see the failure");
      }
      failed.add(String.join(", ", anew) + " (" + alone.verdict() + ")");
    }
    return none(
        "not tried, as it is not clear which classes are the sink's: declare isolatedClasses()"
            + (failed.isEmpty()
                ? ""
                : ". Even without a fault the sink does not pass if each attempt loads anew "
                    + String.join(", nor with ", failed)));
  }

  /**
   * Whether what a schedule shows comes of attempts that do not share their classes. If it is the
   * same when those of one run do, what stands for the external system is among the classes, or the
   * type of the records.
   */
  private static boolean handsOver(Subject<?> loadsAnew, Judgement alone) {
    if (!alone.verdict().accuses()) {
      return false;
    }
    Verdict together =
        new Replay(loadsAnew.loadingAnewOncePerRun()).replay(alone.schedule()).verdict();
    // A class that is separated from its package may fail for ever, and so lose nothing.
    return together == Verdict.PASS
        || (together == Verdict.WEDGE && alone.verdict() == Verdict.LOSS);
  }

  /**
   * What is wrong with the classes that the sink's author named, where they are why a schedule
   * without faults does not pass; null if they are not.
   */
  public static @Nullable Judgement misnamed(Subject<?> subject, Judgement faultless) {
    if (subject.loadedAnew().isEmpty()
        || !faultless.verdict().accuses()
        || handsOver(subject, faultless)) {
      return null;
    }
    Schedule schedule = faultless.schedule();
    Replay shared = new Replay(subject.loadingAnew(List.of()));
    if (shared.replay(schedule).verdict() != Verdict.PASS) {
      return null;
    }
    return new Judgement(
        schedule,
        Verdict.INCONCLUSIVE,
        Set.of(Verdict.INCONCLUSIVE),
        List.of(),
        List.of(),
        "nothing goes wrong, and the sink passes; with "
            + subject.loadedAnew()
            + " loaded anew by each attempt, as isolatedClasses() declares, it does not: "
            + faultless.why()
            + ". What stands for the external system is among these classes, or the type of the"
            + " records, or a class is separated from others of its package that it uses");
  }

  private static Result none(String why) {
    return new Result(0, List.of(), null, why);
  }

  private Result repeat(Explorer explorer, Replay fresh, List<String> anew, long end) {
    Replay shared = new Replay(subject);
    Iterator<Schedule> schedules =
        explorer.explorations().stream().flatMap(ScriptExploration::withOneFault).iterator();
    int repeated = 0;
    do {
      Schedule schedule = schedules.next();
      Judgement alone = fresh.replay(schedule);
      repeated++;
      if (alone.verdict().accuses() && !shared.replay(schedule).verdict().accuses()) {
        Judgement found = new Shrinker(fresh, alone).shrink();
        return new Result(repeated, anew, explained(found, anew), "refuted, see the failure");
      }
    } while (System.nanoTime() < end && schedules.hasNext());
    return new Result(
        repeated,
        anew,
        null,
        repeated
            + (schedules.hasNext()
                ? " schedules with one fault"
                : " schedules, all with one fault,")
            + " repeated with "
            + String.join(", ", anew)
            + " loaded anew by each attempt, none accused");
  }

  private static Judgement explained(Judgement found, List<String> anew) {
    return Findings.retold(
        found,
        found.why()
            + ". It passes if attempts share their classes: something reaches an attempt in a"
            + " static field, and would not in another process. To run all so, let"
            + " isolatedClasses() return "
            + anew.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "))
            + "; if it is the test's own external system that is kept there, name the sink's"
            + " classes alone");
  }

  /** The sink's packages, else its classes alone. */
  private List<List<String>> candidates() {
    List<Class<?>> own =
        subject.classesOfSink().stream().filter(FreshClasses::isSinks).distinct().toList();
    if (own.isEmpty()) {
      return List.of();
    }
    List<String> packages =
        own.stream().map(type -> type.getPackageName() + ".").distinct().sorted().toList();
    List<String> classes =
        own.stream().map(FreshClasses::outermost).map(Class::getName).distinct().sorted().toList();
    return Stream.of(packages, classes).filter(names -> !names.contains(".")).toList();
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outer = type;
    while (outer.getEnclosingClass() != null) {
      outer = Objects.requireNonNull(outer.getEnclosingClass());
    }
    return outer;
  }

  private static boolean isSinks(Class<?> type) {
    return !type.isArray()
        && type.getClassLoader() != null
        && type.getClassLoader() != ClassLoader.getPlatformClassLoader()
        && !type.getName().startsWith("org.apache.")
        && !comesWith(type, SinkKit.class)
        && !comesWith(type, TransactionalConnector.class);
  }

  private static boolean comesWith(Class<?> type, Class<?> other) {
    return Objects.equals(
        type.getProtectionDomain().getCodeSource(), other.getProtectionDomain().getCodeSource());
  }
}
