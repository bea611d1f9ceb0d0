package dev.twophase.internal.function;

import dev.twophase.error.SetupRefusedException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.jspecify.annotations.Nullable;

/**
 * Which sink functions of a job run in this JVM. A function added by {@code addSink} is not asked
 * while the job graph is built, so this is where a name used by two of them can be seen (R6): by
 * default their subtasks share slots, and with them the JVM.
 */
final class RunningNames {

  private static final ConcurrentMap<Key, Holder> RUNNING = new ConcurrentHashMap<>();

  private RunningNames() {}

  /**
   * Takes the name for this operator; every subtask and attempt of it may.
   *
   * @return gives it back
   * @throws SetupRefusedException if another operator of the job has it
   */
  static AutoCloseable claim(String sinkName, StreamingRuntimeContext context) {
    Key key = new Key(context.getJobInfo().getJobId().toString(), sinkName);
    String operator = context.getOperatorUniqueID();
    Holder holder =
        RUNNING.merge(key, new Holder(operator, 1), (there, one) -> there.plusFor(operator));
    if (!holder.operator.equals(operator)) {
      throw new SetupRefusedException(
          sinkName,
          "the sink name",
          "used by two sinks of this job",
          "Each would take the other's transactions for its own: give each sink its own name");
    }
    return () -> RUNNING.computeIfPresent(key, (same, there) -> there.minusOne());
  }

  private record Key(String job, String sinkName) {}

  private record Holder(String operator, int subtasks) {

    Holder plusFor(String other) {
      return other.equals(operator) ? new Holder(operator, subtasks + 1) : this;
    }

    @Nullable Holder minusOne() {
      return subtasks == 1 ? null : new Holder(operator, subtasks - 1);
    }
  }
}
