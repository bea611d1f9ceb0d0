package dev.twophase.testkit.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.store.MemoryConnector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.RoundRobinOperatorStateRepartitioner;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.Mode;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tier without Flink gives each subtask the states that Flink gives it. In which order a
 * subtask finds several is not compared: Flink's is that of a hash table of its files.
 */
class RepartitionTest {

  private final ProtocolTier<?, ?, ?> tier =
      new ProtocolTier<>(
          "sut", SinkOptions.defaults(), () -> () -> new MemoryConnector("sut"), record -> record);

  @ParameterizedTest
  @CsvSource({
    "1, 1", "1, 2", "1, 3", "1, 5", "2, 1", "2, 2", "2, 3", "2, 4", "2, 5", "3, 1", "3, 2", "3, 3",
    "3, 4", "3, 7", "4, 2", "4, 3", "5, 2", "5, 3", "5, 4", "7, 3", "12, 5"
  })
  void eachNewSubtaskGetsTheStatesThatFlinkGivesIt(int before, int after) {
    List<ProtocolState> states =
        IntStream.range(0, before)
            .mapToObj(
                i ->
                    new ProtocolState(
                        List.of(bytes(i + " older"), bytes(i + " newer")), OptionalLong.empty()))
            .toList();

    assertThat(tier.repartition(states, after).stream().map(RepartitionTest::subtasks))
        .containsExactlyElementsOf(byFlink(before, after));
  }

  /** Whose states these are, each of which is whole. */
  private static List<String> subtasks(ProtocolState state) {
    List<String> owners = new ArrayList<>();
    List<String> prepared =
        state.prepared().stream().map(b -> new String(b, StandardCharsets.UTF_8)).toList();
    for (int i = 0; i < prepared.size(); i += 2) {
      String owner = prepared.get(i).split(" ")[0];
      assertThat(prepared.subList(i, i + 2)).containsExactly(owner + " older", owner + " newer");
      owners.add(owner);
    }
    Collections.sort(owners);
    return owners;
  }

  /** A list state with one element of each subtask, as the adapters write it. */
  private static List<List<String>> byFlink(int before, int after) {
    List<List<OperatorStateHandle>> former = new ArrayList<>();
    for (int i = 0; i < before; i++) {
      former.add(
          List.of(
              new OperatorStreamStateHandle(
                  Map.of("list", new StateMetaInfo(new long[] {0}, Mode.SPLIT_DISTRIBUTE)),
                  new ByteStreamStateHandle(String.valueOf(i), new byte[1]))));
    }
    List<List<OperatorStateHandle>> dealt =
        RoundRobinOperatorStateRepartitioner.INSTANCE.repartitionState(former, before, after);
    List<List<String>> owners = new ArrayList<>();
    for (List<OperatorStateHandle> handles : dealt) {
      owners.add(
          handles == null
              ? Collections.emptyList()
              : handles.stream()
                  .map(OperatorStateHandle::getDelegateStateHandle)
                  .map(handle -> ((ByteStreamStateHandle) handle).getHandleName())
                  .sorted()
                  .toList());
    }
    return owners;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
