package dev.twophase.file.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.storage.IoPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The files of one open transaction: at most one being filled per bucket, and those already rolled,
 * which are synced in the background. Used by one thread.
 */
public final class FileTransaction {

  private final TransactionId id;
  private final BufferPool buffers;
  private final Utf8 utf8;
  private final IoPool pool;
  private final int mostStarted;
  private final Map<String, PartFile> open = new HashMap<>();
  private final List<PartFile> all = new ArrayList<>();
  private final List<Future<?>> background = new ArrayList<>();
  private int started;
  private int largestBuffer = BufferPool.LARGEST;
  private @Nullable PartFile last;
  private boolean failed;

  FileTransaction(TransactionId id, BufferPool buffers, Utf8 utf8, IoPool pool, int mostStarted) {
    this.pool = pool;
    this.mostStarted = mostStarted;
    this.id = id;
    this.utf8 = utf8;
    this.buffers = buffers;
  }

  public TransactionId id() {
    return id;
  }

  /** For all files of the transaction, one at a time. */
  Utf8 utf8() {
    return utf8;
  }

  /** Does something beside the writing of records, if a thread is free for it. */
  <V> Optional<Future<V>> beside(Callable<V> operation) {
    return pool.startIfFree(operation);
  }

  /** The same for what a file holds from then on: of so many files only. */
  <V> Optional<Future<V>> start(Callable<V> operation) {
    Optional<Future<V>> start =
        started < mostStarted ? pool.startIfFew(operation) : Optional.empty();
    started += start.isPresent() ? 1 : 0;
    return start;
  }

  /** The file being filled in this bucket, if there is one. */
  @Nullable PartFile file(String bucket) {
    PartFile recent = last;
    if (recent != null && recent.bucket().equals(bucket)) {
      return recent;
    }
    PartFile file = open.get(bucket);
    last = file;
    return file;
  }

  /** How many records have been written. */
  long records() {
    return all.stream().mapToLong(PartFile::records).sum();
  }

  /** Number of the next file. */
  int nextPart() {
    return all.size();
  }

  void add(PartFile file) {
    all.add(file);
    open.put(file.bucket(), file);
    last = file;
  }

  /** Takes a full file out of the way of further records; its buffer is drained and given back. */
  void roll(PartFile file) throws IOException {
    file.drain();
    file.releaseBuffer(buffers);
    open.remove(file.bucket());
    last = null;
  }

  void addBackground(Future<?> completion) {
    background.add(completion);
  }

  List<Future<?>> background() {
    return background;
  }

  /** Files still being filled. */
  List<PartFile> openFiles() {
    return List.copyOf(open.values());
  }

  /** All files in the order of their part numbers. */
  List<PartFile> allFiles() {
    return all;
  }

  void releaseBuffers() {
    open.values().forEach(file -> file.releaseBuffer(buffers));
  }

  void markFailed() {
    failed = true;
  }

  /** Whether a write has failed, after which nothing of this may be prepared (W3). */
  boolean hasFailed() {
    return failed;
  }

  /**
   * A buffer of twice this size, or null if the file must make do with the one it has. Where the
   * memory cap leaves a file less than its fair share, all buffers are drained and dealt anew.
   */
  byte @Nullable [] largerBuffer(int size) throws IOException {
    if (size >= largestBuffer) {
      return null;
    }
    byte[] larger = buffers.take(Math.max(BufferPool.SMALLEST, 2 * size));
    if (larger != null) {
      return larger;
    }
    largestBuffer = buffers.fairShare(open.size());
    if (size >= largestBuffer) {
      return null;
    }
    for (PartFile file : open.values()) {
      file.drain();
      file.releaseBuffer(buffers);
    }
    return buffers.take(BufferPool.SMALLEST);
  }

  void giveBack(byte[] buffer) {
    if (buffer.length > 0) {
      buffers.giveBack(buffer);
    }
  }
}
