package dev.twophase.file.internal.write;

import dev.twophase.file.internal.publish.PreparedFile;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file being filled. Bytes go to a buffer that grows while the memory cap allows, and from there,
 * with the checksum taken over the whole buffer, to disk. The file itself is created in the
 * background meanwhile. Used by one thread at a time.
 */
public final class PartFile extends OutputStream {

  /** So much goes to the disk while records are still being written, and not at the barrier. */
  private static final long SYNCED_AHEAD = 8L << 20;

  /** Not with the first: a file that gets one record would only be slower. */
  private static final long STARTED_AT = 2;

  private static final byte[] NO_BUFFER = {};

  private final FileTransaction transaction;
  private final Storage storage;
  private final String path;
  private final Future<StagedOutput> creation;
  private final String bucket;
  private final int part;
  private final long begun;
  private final long maxBytes;
  private final long maxRecords;
  private final CRC32C checksum = new CRC32C();
  private byte[] buffer = NO_BUFFER;
  private ByteBuffer view = ByteBuffer.wrap(NO_BUFFER);
  private int position;
  private boolean bufferIsPooled;
  private FileFormat.@Nullable Content<?> content;
  private boolean apart;
  private long drained;
  private long ahead;
  private Optional<Future<PartFile>> syncAhead = Optional.empty();
  private long records;
  private long startAt;
  private long lookAt;
  private Optional<Future<PartFile>> start = Optional.empty();

  /**
   * @param creation yields the file at {@code path}
   * @param begun processing time of the first record
   */
  PartFile(
      FileTransaction transaction,
      Storage storage,
      String path,
      Future<StagedOutput> creation,
      String bucket,
      int part,
      long begun,
      Rolling rolling) {
    this.transaction = transaction;
    this.storage = storage;
    this.path = path;
    this.creation = creation;
    this.bucket = bucket;
    this.part = part;
    this.begun = begun;
    this.maxBytes = rolling.maxBytes();
    this.maxRecords = rolling.maxRecords();
    this.startAt = storage.startsSlowly() ? STARTED_AT : Long.MAX_VALUE;
    this.lookAt = Math.min(startAt, maxRecords);
  }

  /** Appends text in UTF-8, each unpaired surrogate as {@code ?}, without any object in between. */
  public void writeUtf8(String text) throws IOException {
    Utf8 utf8 = transaction.utf8();
    int length = text.length();
    int next = 0;
    while (next < length) {
      next = utf8.load(text, next);
      view.position(position);
      while (!utf8.encode(view)) {
        position = view.position();
        makeRoom();
        view.position(position);
      }
      position = view.position();
    }
  }

  @Override
  public void write(int value) throws IOException {
    if (position == buffer.length) {
      makeRoom();
    }
    buffer[position++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length >= (apart ? Math.max(BufferPool.SMALLEST, buffer.length) : BufferPool.LARGEST)) {
      // A format that has buffers of its own needs none of ours, and one that grows no more would
      // only cut what is given into pieces.
      drain();
      writeOut(bytes, offset, length);
      return;
    }
    int from = offset;
    int left = length;
    while (left > buffer.length - position) {
      int fitting = buffer.length - position;
      System.arraycopy(bytes, from, buffer, position, fitting);
      position += fitting;
      from += fitting;
      left -= fitting;
      makeRoom();
    }
    System.arraycopy(bytes, from, buffer, position, left);
    position += left;
  }

  /** Does nothing, so that an encoder may flush every record: what counts is preCommit. */
  @Override
  public void flush() {}

  /** Refused: the file ends when the sink says so. */
  @Override
  public void close() {
    throw new UnsupportedOperationException(
        "An encoder must not close the stream: more records of the bucket may follow");
  }

  /** Counts a record, and tells whether the file has reached a limit of its size. */
  boolean recordWritten() throws IOException {
    return ++records >= lookAt ? look() : drained + position >= maxBytes;
  }

  private boolean look() throws IOException {
    if (records >= startAt) {
      start();
    }
    lookAt = Math.min(startAt, maxRecords);
    return records >= maxRecords || drained + position >= maxBytes;
  }

  /** So that it need not be done at the barrier. */
  private void start() throws IOException {
    if (creation.isDone()) {
      drain();
      StagedOutput output = output();
      start =
          transaction.start(
              () -> {
                output.start();
                return this;
              });
    }
    startAt = start.isPresent() ? Long.MAX_VALUE : 2 * startAt;
  }

  long length() {
    return drained + position;
  }

  long records() {
    return records;
  }

  int bufferSize() {
    return buffer.length;
  }

  long begun() {
    return begun;
  }

  String bucket() {
    return bucket;
  }

  PreparedFile prepared() {
    return new PreparedFile(bucket, part, length(), (int) checksum.getValue());
  }

  void begin(FileFormat<?> format) throws IOException {
    content = format.begin(this);
  }

  FileFormat.Content<?> content() {
    FileFormat.Content<?> begun = content;
    if (begun == null) {
      throw new IllegalStateException("The file " + path + " was never begun");
    }
    return begun;
  }

  /** Lets the format write what it holds back, and writes the buffer to disk. */
  void finish() throws IOException {
    content().finish();
    drain();
  }

  /** The same while other files of the transaction do so too, hence without the common buffers. */
  void finishApart() throws IOException {
    apart = true;
    finish();
  }

  /** Writes the buffer to disk. */
  void drain() throws IOException {
    if (position > 0) {
      writeOut(buffer, 0, position);
      position = 0;
    }
  }

  private void writeOut(byte[] bytes, int offset, int length) throws IOException {
    StagedOutput output = output();
    try {
      checksum.update(bytes, offset, length);
      output.write(bytes, offset, length);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot write to " + storage.fullName(path), error);
    }
    drained += length;
    if (!apart && drained - ahead >= SYNCED_AHEAD) {
      syncAhead(output);
    }
  }

  private void syncAhead(StagedOutput output) throws IOException {
    if (syncAhead.isPresent() && !syncAhead.get().isDone()) {
      return;
    }
    awaitSyncAhead();
    syncAhead =
        transaction.beside(
            () -> {
              output.syncSoFar();
              return this;
            });
    if (syncAhead.isPresent()) {
      ahead = drained;
    }
  }

  /** A disk tells an error once: not again to the sync in the end. */
  private void awaitSyncAhead() throws IOException {
    if (syncAhead.isPresent()) {
      try {
        await(syncAhead.get());
      } catch (IOException error) {
        throw StorageErrors.explain("Cannot write to " + storage.fullName(path), error);
      }
    }
  }

  /** Makes all of it durable and closes it; a file without bytes is removed instead. */
  void complete() throws IOException {
    drain();
    start.ifPresent(notYet -> notYet.cancel(false));
    awaitSyncAhead();
    try {
      try (StagedOutput output = output()) {
        if (drained > 0) {
          output.sync();
        }
      }
      // Closed first: HDFS knows no end of a file that is gone.
      if (drained == 0) {
        storage.delete(path);
      }
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot complete " + storage.fullName(path), error);
    }
  }

  /** Gives the buffer back; what is in it must have been drained or is not wanted. */
  void releaseBuffer(BufferPool pool) {
    position = 0;
    if (buffer.length > 0) {
      if (bufferIsPooled) {
        pool.giveBack(buffer);
      }
      use(NO_BUFFER, false);
    }
  }

  /** Closes and removes the file if it is there. */
  void discard() throws IOException, InterruptedException {
    start.ifPresent(notYet -> notYet.cancel(false));
    try {
      IoPool.await(creation).close();
    } finally {
      storage.delete(path);
    }
  }

  private StagedOutput output() throws IOException {
    return await(creation);
  }

  private <V> V await(Future<V> operation) throws IOException {
    try {
      return IoPool.await(operation);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while writing " + storage.fullName(path));
    }
  }

  private void makeRoom() throws IOException {
    if (apart) {
      if (buffer.length == 0) {
        use(new byte[BufferPool.SMALLEST], false);
      } else {
        drain();
      }
      return;
    }
    byte[] larger = transaction.largerBuffer(buffer.length);
    if (larger == null) {
      drain();
      return;
    }
    System.arraycopy(buffer, 0, larger, 0, position);
    transaction.giveBack(buffer);
    use(larger, true);
  }

  private void use(byte[] other, boolean pooled) {
    buffer = other;
    bufferIsPooled = pooled;
    view = ByteBuffer.wrap(other);
  }
}
