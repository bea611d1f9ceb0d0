package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.internal.operator.plan.NotRunnable;
import dev.twophase.testkit.internal.operator.plan.PlannedNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/** One operator of a running attempt. */
final class RunningNode {

  /** The class is not public. */
  private static final String WRITER = "SinkWriterOperator";

  private final PlannedNode plan;
  private final StreamOperator<Object> operator;
  private final Optional<ProcessingTimeService> timers;
  private final int[] watermarksMissing;
  private boolean finished;

  RunningNode(
      PlannedNode plan, StreamOperator<Object> operator, Optional<ProcessingTimeService> timers) {
    this.plan = plan;
    this.operator = operator;
    this.timers = timers;
    this.watermarksMissing = plan.inputEdges().stream().mapToInt(Integer::intValue).toArray();
  }

  PlannedNode plan() {
    return plan;
  }

  StreamOperator<Object> operator() {
    return operator;
  }

  /**
   * Whether it is a writer whose input has ended, behind a committer. Flink ends its task before
   * the last checkpoint is committed, so that what the committer sends after that is lost on the
   * way (FLINK-38614): it is no fault of a sink, and the writer would refuse it.
   */
  boolean takesNoMore() {
    return finished && operator.getClass().getSimpleName().equals(WRITER);
  }

  @SuppressWarnings("unchecked")
  void process(int input, StreamRecord<Object> record) throws Exception {
    if (operator instanceof TwoInputStreamOperator<?, ?, ?> two) {
      var twoInputs = (TwoInputStreamOperator<Object, Object, Object>) two;
      if (input == 1) {
        twoInputs.setKeyContextElement1(record);
        twoInputs.processElement1(record);
      } else {
        twoInputs.setKeyContextElement2(record);
        twoInputs.processElement2(record);
      }
      return;
    }
    Input<Object> receiver = input(input);
    receiver.setKeyContextElement(record);
    receiver.processElement(record);
  }

  /** The only watermark this tier knows is the last one: it counts once all edges brought it. */
  void watermark(int input, Watermark watermark) throws Exception {
    if (--watermarksMissing[input - 1] > 0) {
      return;
    }
    if (operator instanceof TwoInputStreamOperator<?, ?, ?> two) {
      if (input == 1) {
        two.processWatermark1(watermark);
      } else {
        two.processWatermark2(watermark);
      }
      return;
    }
    input(input).processWatermark(watermark);
  }

  @SuppressWarnings("unchecked")
  private Input<Object> input(int number) {
    if (operator instanceof MultipleInputStreamOperator<?> multiple) {
      return multiple.getInputs().get(number - 1);
    }
    if (operator instanceof Input<?> one) {
      return (Input<Object>) one;
    }
    throw NotRunnable.because(
        "'" + plan.name() + "'",
        operator.getClass().getName() + " takes no input that this tier knows",
        "run it in the cluster tier");
  }

  /** End of all inputs, then of the operator; its timers no longer fire. */
  void finish() throws Exception {
    if (operator instanceof BoundedOneInput one) {
      one.endInput();
    } else if (operator instanceof BoundedMultiInput many) {
      for (int input = 1; input <= plan.inputEdges().size(); input++) {
        many.endInput(input);
      }
    }
    if (timers.isPresent()) {
      timers.get().quiesce().get();
    }
    operator.finish();
    finished = true;
  }

  /** The nodes in the order in which Flink goes through a chain against the stream. */
  static List<RunningNode> tailToHead(List<RunningNode> nodes) {
    List<RunningNode> reversed = new ArrayList<>(nodes);
    Collections.reverse(reversed);
    return reversed;
  }
}
