package dev.twophase.jdbc.internal.rows;

import dev.twophase.HandleSerializers;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A transaction of mode XA: prepared in the database under its id, or, where that would have locked
 * out its predecessor, held like one of mode LEDGER.
 *
 * @param inDatabase whether the database has prepared it
 * @param rows the rows if it has not; else what they were, without blocks
 */
public record XaHandle(boolean inDatabase, JdbcHandle rows) {

  /** That of its rows. */
  private static final int VERSION = JdbcHandle.VERSION;

  private static final int MOST = 1 << 30;

  private static final SimpleVersionedSerializer<XaHandle> SERIALIZER =
      new ModeSerializer<>(
          HandleSerializers.versioned(VERSION, XaHandle::write, XaHandle::read),
          ModeSerializer.XA,
          "XA",
          "LEDGER");

  public static SimpleVersionedSerializer<XaHandle> serializer() {
    return SERIALIZER;
  }

  private static void write(XaHandle handle, DataOutputView out) throws IOException {
    out.writeBoolean(handle.inDatabase);
    byte[] rows = JdbcHandle.serializer().serialize(handle.rows);
    out.writeInt(rows.length);
    out.write(rows);
  }

  private static XaHandle read(int version, DataInputView in) throws IOException {
    boolean inDatabase = in.readBoolean();
    int length = in.readInt();
    if (length < 0 || length > MOST) {
      throw new IOException("A handle is damaged: " + length + " bytes of rows");
    }
    byte[] rows = new byte[length];
    in.readFully(rows);
    return new XaHandle(inDatabase, JdbcHandle.serializer().deserialize(version, rows));
  }
}
