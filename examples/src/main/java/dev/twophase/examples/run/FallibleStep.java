package dev.twophase.examples.run;

import dev.twophase.examples.faults.FaultPlan;
import dev.twophase.examples.faults.InjectedCrash;
import dev.twophase.examples.faults.Point;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/** An operator of the job that is not a sink and can fail too; passes records on. */
final class FallibleStep extends RichMapFunction<String, String> {

  private static final long serialVersionUID = 1L;

  private transient int generation;

  @Override
  public void open(OpenContext context) {
    generation = FaultPlan.current().generation();
  }

  @Override
  public String map(String record) {
    String place = "map subtask " + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    if (FaultPlan.current().strikes(Point.OPERATOR, generation, place, -1).isPresent()) {
      throw new InjectedCrash(place);
    }
    return record;
  }
}
