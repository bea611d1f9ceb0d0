package dev.twophase;

import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/** Ready serializers for {@link TransactionalConnector#handleSerializer()}. Thread-safe. */
public final class HandleSerializers {

  private static final int SMALL = 64;

  private HandleSerializers() {}

  /** Writes a handle's fields. */
  @FunctionalInterface
  public interface Writer<H> {
    void write(H handle, DataOutputView out) throws IOException;
  }

  /** Reads what a {@link Writer} of the given version wrote. */
  @FunctionalInterface
  public interface Reader<H> {
    H read(int version, DataInputView in) throws IOException;
  }

  /** For a handle that is a string. */
  public static SimpleVersionedSerializer<String> text() {
    return text(Function.identity(), Function.identity());
  }

  /** For a handle with a text form, of version 1. */
  public static <H> SimpleVersionedSerializer<H> text(
      Function<H, String> format, Function<String, H> parse) {
    return versioned(
        1,
        (handle, out) -> {
          byte[] bytes = format.apply(handle).getBytes(StandardCharsets.UTF_8);
          out.writeInt(bytes.length);
          out.write(bytes);
        },
        (version, in) -> {
          int length = in.readInt();
          if (length < 0 || length > 1 << 26) {
            throw new IOException("text of " + length + " bytes");
          }
          byte[] bytes = new byte[length];
          in.readFully(bytes);
          return parse.apply(new String(bytes, StandardCharsets.UTF_8));
        });
  }

  /**
   * For a handle with fields of its own. The reader is called with versions 1 to {@code version}; a
   * newer one is rejected by name (S1), and so are bytes left over.
   *
   * @throws IllegalArgumentException if the version is below 1
   */
  public static <H> SimpleVersionedSerializer<H> versioned(
      int version, Writer<H> writer, Reader<H> reader) {
    return new Versioned<>(version, writer, reader, handle -> SMALL, false);
  }

  /**
   * The same for large handles, which are copied less often if their size is known before.
   *
   * @param bytes how many bytes the writer writes; need not be exact
   */
  public static <H> SimpleVersionedSerializer<H> versioned(
      int version, Writer<H> writer, Reader<H> reader, ToIntFunction<H> bytes) {
    return new Versioned<>(version, writer, reader, bytes, true);
  }

  /** Size of a handle's binary form; where it is known only roughly, about that. */
  public static <H> int size(SimpleVersionedSerializer<H> serializer, H handle) throws IOException {
    return serializer instanceof Versioned<H> versioned && versioned.sized()
        ? versioned.bytes().applyAsInt(handle)
        : serializer.serialize(handle).length;
  }

  private record Versioned<H>(
      int version, Writer<H> writer, Reader<H> reader, ToIntFunction<H> bytes, boolean sized)
      implements SimpleVersionedSerializer<H> {

    Versioned {
      if (version < 1) {
        throw new IllegalArgumentException("version is " + version + ": use 1 or more");
      }
      Objects.requireNonNull(writer, "writer");
      Objects.requireNonNull(reader, "reader");
      Objects.requireNonNull(bytes, "bytes");
    }

    @Override
    public int getVersion() {
      return version;
    }

    @Override
    public byte[] serialize(H handle) throws IOException {
      DataOutputSerializer out = new DataOutputSerializer(bytes.applyAsInt(handle));
      writer.write(handle, out);
      byte[] written = out.getSharedBuffer();
      return written.length == out.length() ? written : out.getCopyOfBuffer();
    }

    @Override
    public H deserialize(int written, byte[] bytes) throws IOException {
      UnreadableStateException.checkVersion("handle", written, version);
      DataInputDeserializer in = new DataInputDeserializer(bytes);
      H handle = reader.read(written, in);
      if (in.available() > 0) {
        throw new UnreadableStateException(
            "A handle of version " + written + " has " + in.available() + " bytes too many");
      }
      return handle;
    }
  }
}
