package dev.twophase.internal.state;

import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Version 1 of the writer state's binary form (S1). */
public final class WriterStateSerializer implements SimpleVersionedSerializer<WriterState> {

  static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(WriterState state) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    out.writeInt(state.kind().code());
    out.writeUTF(state.sinkName());
    return out.getCopyOfBuffer();
  }

  @Override
  public WriterState deserialize(int version, byte[] bytes) throws IOException {
    UnreadableStateException.checkVersion("writer state", version, VERSION);
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    return new WriterState(WriterState.Kind.ofCode(in.readInt()), in.readUTF());
  }
}
