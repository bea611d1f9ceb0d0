package dev.twophase.testkit.internal.operator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.RoundRobinOperatorStateRepartitioner;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStateHandle;

/**
 * What one subtask of a sink has in a checkpoint: for each operator its state as Flink wrote it,
 * bytes in memory.
 */
public final class SinkState {

  private final Map<OperatorID, OperatorSubtaskState> operators;

  SinkState(Map<OperatorID, OperatorSubtaskState> operators) {
    this.operators = Map.copyOf(operators);
  }

  Map<OperatorID, OperatorSubtaskState> operators() {
    return operators;
  }

  /** Size of all bytes; 0 for a sink without state. */
  public long size() {
    return operators.values().stream().mapToLong(OperatorSubtaskState::getStateSize).sum();
  }

  /**
   * Deals the states of one checkpoint to new subtasks with Flink's own repartitioner. Every
   * restore goes through it, also one at the same parallelism: union state reaches every subtask.
   */
  static List<SinkState> repartition(List<SinkState> states, int parallelism) {
    Set<OperatorID> ids = new LinkedHashSet<>();
    states.forEach(state -> ids.addAll(state.operators.keySet()));
    List<Map<OperatorID, OperatorSubtaskState>> dealt = new ArrayList<>();
    for (int i = 0; i < parallelism; i++) {
      dealt.add(new HashMap<>());
    }
    for (OperatorID id : ids) {
      List<List<OperatorStateHandle>> managed = new ArrayList<>();
      List<List<OperatorStateHandle>> raw = new ArrayList<>();
      for (SinkState state : states) {
        OperatorSubtaskState operator =
            state.operators.getOrDefault(id, OperatorSubtaskState.builder().build());
        managed.add(List.copyOf(operator.getManagedOperatorState()));
        raw.add(List.copyOf(operator.getRawOperatorState()));
      }
      List<List<OperatorStateHandle>> newManaged = deal(managed, parallelism);
      List<List<OperatorStateHandle>> newRaw = deal(raw, parallelism);
      for (int i = 0; i < parallelism; i++) {
        dealt
            .get(i)
            .put(
                id,
                OperatorSubtaskState.builder()
                    .setManagedOperatorState(new StateObjectCollection<>(newManaged.get(i)))
                    .setRawOperatorState(new StateObjectCollection<>(newRaw.get(i)))
                    .build());
      }
    }
    return dealt.stream().map(SinkState::new).toList();
  }

  private static List<List<OperatorStateHandle>> deal(
      List<List<OperatorStateHandle>> former, int parallelism) {
    if (former.stream().allMatch(List::isEmpty)) {
      return Collections.nCopies(parallelism, List.of());
    }
    return RoundRobinOperatorStateRepartitioner.INSTANCE.repartitionState(
        former, former.size(), parallelism);
  }
}
