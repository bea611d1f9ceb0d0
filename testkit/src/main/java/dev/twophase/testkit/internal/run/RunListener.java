package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.job.JobObserver.Operation;
import dev.twophase.testkit.internal.job.RunningAttempt;
import dev.twophase.testkit.schedule.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows a run, for a report. All methods are called by the thread of the run. */
public interface RunListener {

  /** Follows nothing. */
  RunListener NONE = new RunListener() {};

  /** A step is about to be executed. */
  default void stepBegins(Run run, Step step) {}

  /** A step has been executed, or skipped. */
  default void stepEnds(Run run, boolean executed) {}

  /** What the sink has left behind was counted, after so many crashes. */
  default void leftBehind(long count, int crashes) {}

  /**
   * Something was asked of an attempt, and everything visible has been judged since.
   *
   * @param error what the attempt died of; null if it lives, or was killed
   */
  default void observed(
      Run run,
      Operation operation,
      RunningAttempt<?> attempt,
      @Nullable Throwable error,
      List<TestRecord> visible) {}
}
