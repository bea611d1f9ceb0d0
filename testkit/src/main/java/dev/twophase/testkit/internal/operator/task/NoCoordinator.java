package dev.twophase.testkit.internal.operator.task;

import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorEventDispatcher;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEventHandler;

/** There is no job master here: operators may listen for its events, but not send any. */
final class NoCoordinator implements OperatorEventDispatcher {

  private final LeanEnvironment environment;

  NoCoordinator(LeanEnvironment environment) {
    this.environment = environment;
  }

  @Override
  public void registerEventHandler(OperatorID operator, OperatorEventHandler handler) {}

  @Override
  public OperatorEventGateway getOperatorEventGateway(OperatorID operator) {
    throw environment.unsupported("operator coordinator");
  }
}
