package dev.twophase.jdbc.internal.rows;

import dev.twophase.error.UnreadableStateException;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Tells the states of the two modes apart, by their versions, so that one restored in the other is
 * named and not taken for damaged.
 *
 * @param inner of this mode
 * @param offset what is added to its versions
 * @param mode this one
 * @param other the other one
 */
record ModeSerializer<H>(SimpleVersionedSerializer<H> inner, int offset, String mode, String other)
    implements SimpleVersionedSerializer<H> {

  /** Versions of mode XA are above this, except for the first ever. */
  static final int XA = 100;

  @Override
  public int getVersion() {
    return inner.getVersion() + offset;
  }

  @Override
  public byte[] serialize(H handle) throws IOException {
    return inner.serialize(handle);
  }

  @Override
  public H deserialize(int version, byte[] bytes) throws IOException {
    boolean ofXa = version > XA;
    if (version > 1 && ofXa != (offset > 0)) {
      throw new UnreadableStateException(
          "The state is of a JDBC sink in mode "
              + other
              + ", and this one is in mode "
              + mode
              + ": restore it with mode(CommitMode."
              + other
              + "). To change the mode, stop the job with a savepoint and restore that with another"
              + " uid for the sink and allowNonRestoredState");
    }
    return inner.deserialize(ofXa ? version - XA : version, bytes);
  }
}
