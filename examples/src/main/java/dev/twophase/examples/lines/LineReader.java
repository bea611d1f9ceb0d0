package dev.twophase.examples.lines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/** Reads at the pace it is given; its position is what a checkpoint holds. */
final class LineReader implements SourceReader<String, LineSplit> {

  private static final long LOOK_AGAIN_MILLIS = 5;

  private final SourceReaderContext context;
  private final LineIndex index;
  private final Pace pace;
  private final NavigableMap<Long, Long> positions = new TreeMap<>();

  private CompletableFuture<Void> available = new CompletableFuture<>();
  private @Nullable LineCursor cursor;
  private boolean noMoreSplits;

  LineReader(SourceReaderContext context, LineIndex index, Pace pace) {
    this.context = context;
    this.index = index;
    this.pace = pace;
  }

  @Override
  public void start() {
    if (cursor == null) {
      context.sendSplitRequest();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<String> output) throws IOException {
    LineCursor lines = cursor;
    if (lines == null) {
      return noMoreSplits ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
    }
    if (!lines.hasNext()) {
      return InputStatus.END_OF_INPUT;
    }
    if (!pace.mayEmit(lines.position())) {
      available = new CompletableFuture<>();
      available.completeOnTimeout(null, LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      return InputStatus.NOTHING_AVAILABLE;
    }
    output.collect(lines.next());
    return InputStatus.MORE_AVAILABLE;
  }

  @Override
  public List<LineSplit> snapshotState(long checkpointId) {
    if (cursor == null) {
      return List.of();
    }
    positions.put(checkpointId, cursor.position());
    return List.of(new LineSplit(cursor.position()));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    Long position = positions.get(checkpointId);
    positions.headMap(checkpointId, true).clear();
    if (position != null) {
      pace.checkpointed(checkpointId, position);
    }
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return available;
  }

  @Override
  public void addSplits(List<LineSplit> splits) {
    try {
      cursor = new LineCursor(index, splits.get(0).position());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    available.complete(null);
  }

  @Override
  public void notifyNoMoreSplits() {
    noMoreSplits = true;
    available.complete(null);
  }

  @Override
  public void close() throws IOException {
    if (cursor != null) {
      cursor.close();
    }
  }
}
