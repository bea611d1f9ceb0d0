package dev.twophase.gallery.sink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The binary form of a {@link Committable}, of version 1. */
final class CommittableSerializer implements SimpleVersionedSerializer<Committable> {

  @Override
  public int getVersion() {
    return 1;
  }

  @Override
  public byte[] serialize(Committable committable) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    out.writeUTF(committable.id());
    out.writeLong(committable.token());
    out.writeInt(committable.lingering().size());
    for (String id : committable.lingering()) {
      out.writeUTF(id);
    }
    return out.getCopyOfBuffer();
  }

  @Override
  public Committable deserialize(int version, byte[] bytes) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    String id = in.readUTF();
    long token = in.readLong();
    int size = in.readInt();
    List<String> lingering = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      lingering.add(in.readUTF());
    }
    return new Committable(id, token, lingering);
  }
}
