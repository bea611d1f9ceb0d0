package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.job.InconclusiveException;
import dev.twophase.testkit.internal.job.Job;
import dev.twophase.testkit.internal.oracle.Anomaly;
import dev.twophase.testkit.internal.oracle.Oracle;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
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
  private final boolean expired;
  private @Nullable Throwable detected;

  /**
   * @param expired whether the external system has forgotten what was not committed
   */
  SettledJudge(Subject<?> subject, String namespace, Job<?> job, Oracle oracle, boolean expired) {
    this.expired = expired;
    this.subject = subject;
    this.namespace = namespace;
    this.job = job;
    this.oracle = oracle;
  }

  /** Adds to what the oracle has; returns why the run proves nothing, or null. */
  @Nullable String judge() {
    if (job.rewound() && subject.claims().rewind().isEmpty()) {
      return "The job was taken back before a stored checkpoint, and the sink declares no policy for"
          + " that: see SinkClaims.withRewind";
    }
    if (!job.settled()) {
      judgeStuck();
      return null;
    }
    List<TestRecord> visible = restingRead();
    oracle.judgeSettled(visible, job.input());
    judgeLeaks();
    return null;
  }

  private void judgeStuck() {
    Throwable error = job.lastError();
    boolean declared = false;
    for (Throwable each = error; each != null && !declared; each = each.getCause()) {
      declared = subject.isDeclaredError(each);
    }
    if (declared && (job.rewound() || expired)) {
      detected = error;
      return;
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
  }

  /** What Flink wraps says what went wrong; what it is wrapped in says only where. */
  private static String rootOf(@Nullable Throwable error) {
    if (error == null || error.getCause() == null) {
      return "";
    }
    Throwable root = error.getCause();
    for (int depth = 0; root.getCause() != null && depth < MOST_CAUSES; depth++) {
      root = root.getCause();
    }
    return String.valueOf(error.getMessage()).contains(root.toString())
        ? ""
        : ", because of " + root;
  }

  /** The declared error with which the sink stopped where it may; null if it did not. */
  @Nullable Throwable detected() {
    return detected;
  }

  /** Reads until nothing is missing, or the declared delay is over and two reads are equal. */
  private List<TestRecord> restingRead() {
    long deadline = System.nanoTime() + subject.claims().visibilityDelay().toNanos();
    List<TestRecord> before = subject.readVisible(namespace);
    for (int reads = 0; reads < MOST_UNEQUAL_READS; reads++) {
      while (!oracle.missing(before, job.input()).isEmpty() && System.nanoTime() < deadline) {
        LockSupport.parkNanos(PAUSE.toNanos());
        before = subject.readVisible(namespace);
      }
      List<TestRecord> now = subject.readVisible(namespace);
      if (now.equals(before)) {
        return now;
      }
      before = now;
    }
    throw new InconclusiveException(
        "What readVisible returns does not come to rest: "
            + MOST_UNEQUAL_READS
            + " reads in a row differed");
  }

  private void judgeLeaks() {
    if (subject.claims().transactionTimeout().isPresent() || job.zombieCameLate()) {
      return;
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
