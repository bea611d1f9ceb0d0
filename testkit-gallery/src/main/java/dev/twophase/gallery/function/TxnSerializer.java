package dev.twophase.gallery.function;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes a {@link Txn}. */
public class TxnSerializer extends TypeSerializerSingleton<Txn> {

  private static final long serialVersionUID = 1L;

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public Txn createInstance() {
    return new Txn("");
  }

  @Override
  public Txn copy(Txn from) {
    return from.copy();
  }

  @Override
  public Txn copy(Txn from, Txn reuse) {
    return copy(from);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(Txn txn, DataOutputView out) throws IOException {
    out.writeUTF(txn.id);
    out.writeInt(txn.rows);
    out.writeLong(txn.token);
  }

  @Override
  public Txn deserialize(DataInputView in) throws IOException {
    Txn txn = new Txn(in.readUTF());
    txn.rows = in.readInt();
    txn.token = in.readLong();
    return txn;
  }

  @Override
  public Txn deserialize(Txn reuse, DataInputView in) throws IOException {
    return deserialize(in);
  }

  @Override
  public void copy(DataInputView in, DataOutputView out) throws IOException {
    serialize(deserialize(in), out);
  }

  @Override
  public TypeSerializerSnapshot<Txn> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Names the serializer in state. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Txn> {
    public Snapshot() {
      super(TxnSerializer::new);
    }
  }
}
