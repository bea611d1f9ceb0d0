package dev.twophase.internal.state;

import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The writer state's binary form (S1). Version 2 adds the line, 0 if it is not known; version 1 is
 * still read.
 */
public final class WriterStateSerializer implements SimpleVersionedSerializer<WriterState> {

  static final int VERSION = 2;
  private static final int WITHOUT_LINE = 1;
  private static final long UNKNOWN = 0;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(WriterState state) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    out.writeInt(state.kind().code());
    out.writeUTF(state.sinkName());
    out.writeLong(state.line().orElse(UNKNOWN));
    return out.getCopyOfBuffer();
  }

  @Override
  public WriterState deserialize(int version, byte[] bytes) throws IOException {
    UnreadableStateException.checkVersion("writer state", version, VERSION);
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    WriterState.Kind kind = WriterState.Kind.ofCode(in.readInt());
    String sinkName = in.readUTF();
    long line = version == WITHOUT_LINE ? UNKNOWN : in.readLong();
    return new WriterState(
        kind, sinkName, line == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(line));
  }
}
