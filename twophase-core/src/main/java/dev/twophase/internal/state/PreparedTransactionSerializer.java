package dev.twophase.internal.state;

import dev.twophase.HandleSerializers;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Version 1 of a prepared transaction's binary form (S1): id, checkpoint id, begun at, prepared at,
 * records, the handle with its own serializer's version and length, and the lingering list.
 */
public final class PreparedTransactionSerializer<H>
    implements SimpleVersionedSerializer<PreparedTransaction<H>> {

  static final int VERSION = 1;

  private static final int ID_BYTES = 128;
  private static final byte[] NONE = {};

  private final SimpleVersionedSerializer<H> handles;

  public PreparedTransactionSerializer(SimpleVersionedSerializer<H> handles) {
    this.handles = handles;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(PreparedTransaction<H> transaction) throws IOException {
    byte[] handle =
        transaction.handle().isPresent() ? handles.serialize(transaction.handle().get()) : NONE;
    DataOutputSerializer out =
        new DataOutputSerializer(size(transaction.lingering().size()) + handle.length);
    writeId(transaction.id(), out);
    out.writeLong(transaction.checkpointId());
    out.writeLong(transaction.begunAt());
    out.writeLong(transaction.preparedAt());
    out.writeLong(transaction.records());
    out.writeBoolean(transaction.handle().isPresent());
    if (transaction.handle().isPresent()) {
      out.writeInt(handles.getVersion());
      out.writeInt(handle.length);
      out.write(handle);
    }
    out.writeInt(transaction.lingering().size());
    for (Unfinished unfinished : transaction.lingering()) {
      writeId(unfinished.id(), out);
      out.writeUTF(unfinished.token());
    }
    return out.getCopyOfBuffer();
  }

  /** About how many bytes {@link #serialize} will make. */
  public int size(PreparedTransaction<H> transaction) throws IOException {
    int handle =
        transaction.handle().isPresent()
            ? HandleSerializers.size(handles, transaction.handle().get())
            : 0;
    return handle + size(transaction.lingering().size());
  }

  private static int size(int lingering) {
    return (1 + lingering) * ID_BYTES;
  }

  @Override
  public PreparedTransaction<H> deserialize(int version, byte[] bytes) throws IOException {
    UnreadableStateException.checkVersion("prepared transaction", version, VERSION);
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    try {
      PreparedTransaction<H> transaction =
          new PreparedTransaction<>(
              readId(in),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              readHandle(in),
              readLingering(in));
      if (in.available() > 0) {
        throw new UnreadableStateException(
            "A prepared transaction of version "
                + version
                + " has "
                + in.available()
                + " bytes too many");
      }
      return transaction;
    } catch (UnreadableStateException named) {
      throw named;
    } catch (IOException | RuntimeException damaged) {
      throw new UnreadableStateException(
          "A prepared transaction of version "
              + version
              + " cannot be read from its "
              + bytes.length
              + " bytes: the state is damaged or written by another sink",
          damaged);
    }
  }

  private Optional<H> readHandle(DataInputDeserializer in) throws IOException {
    if (!in.readBoolean()) {
      return Optional.empty();
    }
    int version = in.readInt();
    byte[] handle = new byte[checkedLength(in.readInt(), in)];
    in.readFully(handle);
    return Optional.of(handles.deserialize(version, handle));
  }

  private static List<Unfinished> readLingering(DataInputDeserializer in) throws IOException {
    int count = checkedLength(in.readInt(), in);
    List<Unfinished> lingering = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      lingering.add(new Unfinished(readId(in), in.readUTF()));
    }
    return lingering;
  }

  private static int checkedLength(int length, DataInputDeserializer in)
      throws UnreadableStateException {
    if (length < 0 || length > in.available()) {
      throw new UnreadableStateException(
          "A length of " + length + " where only " + in.available() + " bytes are left");
    }
    return length;
  }

  private static void writeId(TransactionId id, DataOutputSerializer out) throws IOException {
    out.writeUTF(id.sinkName());
    out.writeInt(id.subtask());
    out.writeLong(id.since());
    out.writeLong(id.nonce().getMostSignificantBits());
    out.writeLong(id.nonce().getLeastSignificantBits());
  }

  private static TransactionId readId(DataInputDeserializer in) throws IOException {
    return new TransactionId(
        in.readUTF(), in.readInt(), in.readLong(), new UUID(in.readLong(), in.readLong()));
  }
}
