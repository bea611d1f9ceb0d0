package dev.twophase.examples.lines;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** Hands the one split to whoever asks first. */
final class LineEnumerator implements SplitEnumerator<LineSplit, Boolean> {

  private final SplitEnumeratorContext<LineSplit> context;
  private @Nullable LineSplit waiting;

  /**
   * @param waiting the split, if no reader has it
   */
  LineEnumerator(SplitEnumeratorContext<LineSplit> context, @Nullable LineSplit waiting) {
    this.context = context;
    this.waiting = waiting;
  }

  @Override
  public void start() {
    // Readers ask.
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    if (waiting != null) {
      context.assignSplit(waiting, subtask);
      waiting = null;
    }
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void addSplitsBack(List<LineSplit> splits, int subtask) {
    if (!splits.isEmpty()) {
      waiting = splits.get(0);
    }
  }

  @Override
  public void addReader(int subtask) {
    // Readers ask.
  }

  @Override
  public Boolean snapshotState(long checkpointId) {
    return waiting == null;
  }

  @Override
  public void close() {
    // Holds nothing.
  }

  /** Whether a reader has the split. */
  static final class StateSerializer implements SimpleVersionedSerializer<Boolean> {

    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Boolean assigned) {
      return new byte[] {(byte) (assigned ? 1 : 0)};
    }

    @Override
    public Boolean deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1 || bytes.length != 1) {
        throw new IOException("Not an enumerator state of version 1: version " + version);
      }
      return bytes[0] == 1;
    }
  }
}
