package dev.twophase.testkit.internal.operator.task;

import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorEventDispatcher;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEventHandler;

/** There is no job master here: operators may listen for its events, but not send any. */
public enum NoCoordinator implements OperatorEventDispatcher {
  INSTANCE;

  @Override
  public void registerEventHandler(OperatorID operator, OperatorEventHandler handler) {}

  @Override
  public OperatorEventGateway getOperatorEventGateway(OperatorID operator) {
    throw new UnsupportedOperationException(
        "the operator tier has no operator coordinator; run this sink in the cluster tier");
  }
}
