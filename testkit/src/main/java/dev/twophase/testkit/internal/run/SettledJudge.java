package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Oracle;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The last word on a run: what is visible once everything has come to rest. */
final class SettledJudge {

  private static final int MOST_UNEQUAL_READS = 100;
  private static final int MOST_CAUSES = 50;
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Subject<?> subject;
  private final String namespace;
  private final Job<?> job;
  private final Oracle oracle;
  private final SecondLook secondLook;
  private final boolean expired;
  private final Supplier<List<TestRecord>> reader;
  private @Nullable Throwable detected;

  /**
   * @param secondLook by which a read is judged
   * @param expired whether the external system has forgotten what was not committed
   * @param reader reads what is visible of the sink
   */
  SettledJudge(
      Subject<?> subject,
      String namespace,
      Job<?> job,
      Oracle oracle,
      SecondLook secondLook,
      boolean expired,
      Supplier<List<TestRecord>> reader) {
    this.secondLook = secondLook;
    this.expired = expired;
    this.reader = reader;
    this.subject = subject;
    this.namespace = namespace;
    this.job = job;
    this.oracle = oracle;
  }

  /** Adds to what the oracle has; returns why the run proves nothing, or null. */
  @Nullable String judge() {
    if (job.rewound() && subject.claims().rewind().isEmpty()) {
      return "The job was taken back before a stored checkpoint, and the sink declares no policy"
          + " for that: see SinkClaims.withRewind";
    }
    if (!job.settled()) {
      return judgeStuck();
    }
    long over = System.nanoTime() + subject.claims().visibilityDelay().toNanos();
    judgeRead();
    if (subject.waitsOutDelays() && oracle.anomalies().isEmpty()) {
      await(over);
      judgeRead();
    }
    judgeLeaks();
    return null;
  }

  private static void await(long moment) {
    for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Judges what is visible now, once it has come to rest. */
  void judgeRead() {
    secondLook.judge(restingRead(), (by, read) -> by.judgeSettled(read, job.input()));
  }

  private @Nullable String judgeStuck() {
    Throwable error = job.lastError();
    boolean declared = false;
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof OutOfMemoryError) {
        return "Five recoveries failed for want of memory, "
            + each
            + ": give the test's JVM more, such as -Xmx2g in Surefire's argLine; if that does not"
            + " help, it is the sink that takes it";
      }
      declared |= subject.isDeclaredError(each);
    }
    if (declared && (job.rewound() || expired)) {
      detected = error;
      return null;
    }
    oracle.add(
        new Anomaly(
            Verdict.WEDGE,
            List.of(),
            "while settling",
            "five recoveries failed after the last fault, the last one with "
                + error
                + rootOf(error)
                + (declared
                    ? ", which the sink declares for a loss or a rewind, and the schedule has"
                        + " neither"
                    : ""),
            declared));
    return null;
  }

  /** What Flink wraps says what went wrong; what it is wrapped in says only where. */
  private static String rootOf(@Nullable Throwable error) {
    if (error == null || error.getCause() == null) {
      return thrownIn(error);
    }
    Throwable root = error.getCause();
    for (int depth = 0; root.getCause() != null && depth < MOST_CAUSES; depth++) {
      root = root.getCause();
    }
    return String.valueOf(error.getMessage()).contains(root.toString())
        ? thrownIn(root)
        : ", because of " + root + thrownIn(root);
  }

  /** Whose code it was: in a serializer, it is another rule that is broken. */
  private static String thrownIn(@Nullable Throwable error) {
    StackTraceElement[] stack = error == null ? new StackTraceElement[0] : error.getStackTrace();
    return Arrays.stream(stack)
        .filter(frame -> !"java.base".equals(frame.getModuleName()))
        .findFirst()
        .map(frame -> ", thrown in " + frame)
        .orElse("");
  }

  /** The declared error with which the sink stopped where it may; null if it did not. */
  @Nullable Throwable detected() {
    return detected;
  }

  /** Reads until nothing is missing, or the declared delay is over and two reads are equal. */
  private List<TestRecord> restingRead() {
    long deadline = System.nanoTime() + subject.claims().visibilityDelay().toNanos();
    boolean ordered = subject.claims().order() != OrderScope.NONE;
    boolean onlyOrder = true;
    List<TestRecord> before = reader.get();
    for (int reads = 0; reads < MOST_UNEQUAL_READS; reads++) {
      while (!oracle.missing(before, job.input()).isEmpty() && System.nanoTime() < deadline) {
        LockSupport.parkNanos(PAUSE.toNanos());
        before = reader.get();
      }
      List<TestRecord> now = reader.get();
      if (now.equals(before) || (!ordered && sameInAnyOrder(now, before))) {
        return now;
      }
      onlyOrder &= sameInAnyOrder(now, before);
      before = now;
    }
    throw new InconclusiveException(
        "What readVisible returns does not come to rest: "
            + MOST_UNEQUAL_READS
            + " reads in a row differed"
            + (onlyOrder
                ? ", in their order only: return it as a consumer sees it, or claim no order"
                : ""));
  }

  private static boolean sameInAnyOrder(List<TestRecord> some, List<TestRecord> others) {
    return some.size() == others.size() && counted(some).equals(counted(others));
  }

  private static Map<TestRecord, Long> counted(List<TestRecord> records) {
    return records.stream().collect(Collectors.groupingBy(each -> each, Collectors.counting()));
  }

  /** What may linger until it times out is looked for when everything has. */
  private void judgeLeaks() {
    boolean lingers = subject.claims().transactionTimeout().isPresent();
    if (lingers || job.zombieCameLate()) {
      if (!lingers || !subject.letsExpire()) {
        subject.leaksUnchecked();
        return;
      }
      subject.external(namespace, ExternalEvent.EXPIRE);
    }
    Collection<?> unfinished = subject.unfinished(namespace).orElse(List.of());
    if (!unfinished.isEmpty()) {
      oracle.add(
          new Anomaly(
              Verdict.LEAK,
              List.of(),
              "after settling",
              unfinished.size() + " unfinished, such as " + unfinished.iterator().next()));
    }
  }
}
