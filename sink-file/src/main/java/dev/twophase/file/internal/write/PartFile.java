package dev.twophase.file.internal.write;

import dev.twophase.file.internal.publish.PreparedFile;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file being filled. Bytes go to a buffer that grows while the memory cap allows, and from there,
 * with the checksum taken over the whole buffer, to disk; the file itself is created with the first
 * of these writes. Used by one thread at a time.
 */
public final class PartFile extends OutputStream {

  private static final byte[] NO_BUFFER = {};

  private final FileTransaction transaction;
  private final Storage storage;
  private final String path;
  private final String bucket;
  private final int part;
  private final long begun;
  private final CRC32C checksum = new CRC32C();
  private @Nullable StagedOutput output;
  private byte[] buffer = NO_BUFFER;
  private int position;
  private long drained;
  private long records;

  /**
   * @param begun processing time of the first record
   */
  PartFile(
      FileTransaction transaction,
      Storage storage,
      String path,
      String bucket,
      int part,
      long begun) {
    this.transaction = transaction;
    this.storage = storage;
    this.path = path;
    this.bucket = bucket;
    this.part = part;
    this.begun = begun;
  }

  /** Appends text in UTF-8, each unpaired surrogate as {@code ?}, without any object in between. */
  public void writeUtf8(String text) throws IOException {
    int length = text.length();
    int next = 0;
    while (next < length) {
      if (position == buffer.length) {
        makeRoom();
      }
      next = writeAscii(text, next, Math.min(length, next + buffer.length - position));
      if (next < length && text.charAt(next) >= 0x80) {
        next += writeBeyondAscii(text, next);
      }
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

  void recordWritten() {
    records++;
  }

  long records() {
    return records;
  }

  long length() {
    return drained + position;
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

  /** Writes the buffer to disk, creating the file if need be. */
  void drain() throws IOException {
    if (position == 0) {
      return;
    }
    try {
      StagedOutput out = output;
      if (out == null) {
        out = storage.create(path);
        output = out;
      }
      checksum.update(buffer, 0, position);
      out.write(buffer, 0, position);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot write to " + storage.fullName(path), error);
    }
    drained += position;
    position = 0;
  }

  /** Makes all of it durable and closes it. */
  void complete() throws IOException {
    drain();
    StagedOutput out = output;
    if (out == null) {
      return;
    }
    try (out) {
      output = null;
      out.sync();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot sync " + storage.fullName(path), error);
    }
  }

  /** Gives the buffer back; what is in it must have been drained or is not wanted. */
  void releaseBuffer(BufferPool pool) {
    position = 0;
    if (buffer.length > 0) {
      pool.giveBack(buffer);
      buffer = NO_BUFFER;
    }
  }

  /** Closes and removes the file if it is there. */
  void discard() throws IOException {
    StagedOutput out = output;
    output = null;
    try {
      if (out != null) {
        out.close();
      }
    } finally {
      storage.delete(path);
    }
  }

  private void makeRoom() throws IOException {
    byte[] larger = transaction.largerBuffer(buffer.length);
    if (larger == null) {
      drain();
      return;
    }
    System.arraycopy(buffer, 0, larger, 0, position);
    transaction.giveBack(buffer);
    buffer = larger;
  }

  private int writeAscii(String text, int from, int to) {
    byte[] target = buffer;
    int at = position;
    int next = from;
    for (char c; next < to && (c = text.charAt(next)) < 0x80; next++) {
      target[at++] = (byte) c;
    }
    position = at;
    return next;
  }

  /** Writes one code point and returns its number of chars. */
  private int writeBeyondAscii(String text, int index) throws IOException {
    int point = text.codePointAt(index);
    if (point < 0x800) {
      write(0xc0 | (point >> 6));
    } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
      write('?');
      return 1;
    } else if (point < 0x10000) {
      write(0xe0 | (point >> 12));
      write(0x80 | ((point >> 6) & 0x3f));
    } else {
      write(0xf0 | (point >> 18));
      write(0x80 | ((point >> 12) & 0x3f));
      write(0x80 | ((point >> 6) & 0x3f));
    }
    write(0x80 | (point & 0x3f));
    return Character.charCount(point);
  }
}
