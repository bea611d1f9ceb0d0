package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * What a committer is restored with, noted while Flink reads its state: Flink hands the
 * transactions over one checkpoint at a time, and a committer that knows what follows can commit
 * them all at once. Belongs to one sink object, which in a task is that of one operator; where
 * Flink has read nothing through it, it is empty, and everything works without it.
 */
public final class RestoredTransactions<H> {

  private final List<PreparedTransaction<H>> noted = new ArrayList<>();
  private long restoredCheckpoint = -1;

  /** The committer has been made, and Flink is about to read the state of this checkpoint. */
  public void noteFrom(long checkpointId) {
    restoredCheckpoint = checkpointId;
  }

  /** Hands over what was noted and is due (C1), and notes no more. */
  List<PreparedTransaction<H>> take() {
    List<PreparedTransaction<H>> due =
        noted.stream().filter(each -> each.checkpointId() <= restoredCheckpoint).toList();
    restoredCheckpoint = -1;
    noted.clear();
    return due;
  }

  /** Reads as the other one does, and notes what it has read. */
  public SimpleVersionedSerializer<PreparedTransaction<H>> noting(
      SimpleVersionedSerializer<PreparedTransaction<H>> serializer) {
    return new SimpleVersionedSerializer<>() {
      @Override
      public int getVersion() {
        return serializer.getVersion();
      }

      @Override
      public byte[] serialize(PreparedTransaction<H> transaction) throws IOException {
        return serializer.serialize(transaction);
      }

      @Override
      public PreparedTransaction<H> deserialize(int version, byte[] bytes) throws IOException {
        PreparedTransaction<H> transaction = serializer.deserialize(version, bytes);
        if (restoredCheckpoint >= 0) {
          noted.add(transaction);
        }
        return transaction;
      }
    };
  }
}
