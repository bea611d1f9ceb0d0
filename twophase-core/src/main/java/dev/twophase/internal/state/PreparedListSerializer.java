package dev.twophase.internal.state;

import dev.twophase.PreparedTransaction;
import dev.twophase.error.UnreadableStateException;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Version 1 of the binary form of all that one subtask has prepared, in checkpoint order (S1): a
 * count, then each with its own version and length. One element of state per subtask keeps them
 * together through every change of parallelism, and with that their order (C3).
 */
public final class PreparedListSerializer<H>
    implements SimpleVersionedSerializer<List<PreparedTransaction<H>>> {

  static final int VERSION = 1;

  private final PreparedTransactionSerializer<H> transactions;

  public PreparedListSerializer(SimpleVersionedSerializer<H> handles) {
    this.transactions = new PreparedTransactionSerializer<>(handles);
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(List<PreparedTransaction<H>> prepared) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    out.writeInt(prepared.size());
    for (PreparedTransaction<H> transaction : prepared) {
      byte[] bytes = transactions.serialize(transaction);
      out.writeInt(transactions.getVersion());
      out.writeInt(bytes.length);
      out.write(bytes);
    }
    return out.getCopyOfBuffer();
  }

  @Override
  public List<PreparedTransaction<H>> deserialize(int version, byte[] bytes) throws IOException {
    UnreadableStateException.checkVersion("list of prepared transactions", version, VERSION);
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    try {
      List<PreparedTransaction<H>> prepared = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        prepared.add(readOne(in));
      }
      if (in.available() > 0) {
        throw new UnreadableStateException(
            "A list of prepared transactions has " + in.available() + " bytes too many");
      }
      return prepared;
    } catch (EOFException truncated) {
      throw new UnreadableStateException(
          "A list of prepared transactions cannot be read from its "
              + bytes.length
              + " bytes: the state is damaged or written by another sink",
          truncated);
    }
  }

  private PreparedTransaction<H> readOne(DataInputDeserializer in) throws IOException {
    int written = in.readInt();
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new UnreadableStateException(
          "A prepared transaction of "
              + length
              + " bytes where only "
              + in.available()
              + " are left");
    }
    byte[] one = new byte[length];
    in.readFully(one);
    return transactions.deserialize(written, one);
  }
}
