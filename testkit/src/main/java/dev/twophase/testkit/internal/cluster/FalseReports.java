package dev.twophase.testkit.internal.cluster;

import java.lang.reflect.Field;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.taskmanager.TaskExecutionState;
import org.apache.flink.runtime.taskmanager.TaskManagerActions;

/** Tells the job manager what is not true. */
final class FalseReports {

  private FalseReports() {}

  /**
   * The job manager believes that a task has failed, as it does of one whose machine no longer
   * answers; the task itself goes on.
   */
  static void ofFailure(Environment environment) {
    try {
      Object task = field(environment, "containingTask");
      TaskManagerActions actions = (TaskManagerActions) field(task, "taskManagerActions");
      actions.updateTaskExecutionState(
          new TaskExecutionState(
              environment.getExecutionId(),
              ExecutionState.FAILED,
              new IllegalStateException("lost by the schedule")));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Flink has another task than the kit knows", e);
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
