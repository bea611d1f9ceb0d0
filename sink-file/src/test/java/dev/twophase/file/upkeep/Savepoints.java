package dev.twophase.file.upkeep;

import dev.twophase.testkit.connector.Prepared;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/** Savepoints of one operator with the state of a sink's writer and committer. */
final class Savepoints {

  private Savepoints() {}

  /** With a prepared transaction. */
  static void write(Path directory, String sinkName, Prepared prepared) throws Exception {
    write(directory, sinkName, new String(prepared.bytes(), StandardCharsets.ISO_8859_1));
  }

  /** With any committables. */
  static void write(Path directory, String sinkName, String committables) throws Exception {
    write(directory, sinkName, committables, 2);
  }

  /** With the writer's state in a certain version of its form. */
  static void write(Path directory, String sinkName, String committables, int version)
      throws Exception {
    OperatorState operator = operator();
    operator.putState(
        0,
        OperatorSubtaskState.builder()
            .setManagedOperatorState(handle(sinkName, committables, version))
            .build());
    try (OutputStream out = Files.newOutputStream(directory.resolve("_metadata"))) {
      Checkpoints.storeCheckpointMetadata(
          new CheckpointMetadata(1, List.of(operator), List.of()), out);
    }
  }

  private static OperatorStateHandle handle(String sinkName, String committables, int version)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    out.write(committables.getBytes(StandardCharsets.ISO_8859_1));
    int writer = out.length();
    DataOutputSerializer state = new DataOutputSerializer(64);
    state.writeInt(1);
    state.writeUTF(sinkName);
    if (version > 1) {
      state.writeLong(7);
    }
    out.writeInt(2 * Integer.BYTES + state.length());
    out.writeInt(version);
    out.writeInt(state.length());
    out.write(state.getCopyOfBuffer());
    return new OperatorStreamStateHandle(
        Map.of(
            "streaming_committer_raw_states", list(0),
            "writer_raw_states", list(writer)),
        new ByteStreamStateHandle("state", out.getCopyOfBuffer()));
  }

  private static StateMetaInfo list(long offset) {
    return new StateMetaInfo(new long[] {offset}, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE);
  }

  /** Since Flink 2 it has a name and a uid, which may be anything: here a sink's name. */
  private static OperatorState operator() throws Exception {
    for (Constructor<?> constructor : OperatorState.class.getConstructors()) {
      if (constructor.getParameterCount() == 3) {
        return (OperatorState) constructor.newInstance(new OperatorID(), 1, 128);
      }
      if (constructor.getParameterCount() == 5) {
        return (OperatorState)
            constructor.newInstance("orders", "orders", new OperatorID(), 1, 128);
      }
    }
    throw new IllegalStateException("OperatorState has another constructor");
  }
}
