package dev.twophase.examples.lines;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Walks the lines of a {@link LineIndex} from a position on and turns each into a record: file,
 * tab, line number from 1, tab, text. A line ends with {@code \n} only, and its characters stand
 * for bytes (ISO-8859-1), so that nothing of the text is changed on the way. Not thread-safe.
 */
public final class LineCursor implements AutoCloseable {

  private final LineIndex index;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private int file;
  private long position;
  private @Nullable InputStream open;

  /** Stands before the line at the position. */
  public LineCursor(LineIndex index, long position) throws IOException {
    this.index = index;
    while (file < index.files().size() && ends(index.files().get(file)) <= position) {
      file++;
    }
    if (file < index.files().size()) {
      LineIndex.Entry entry = index.files().get(file);
      this.position = entry.start();
      while (this.position < position) {
        readLine(entry);
      }
    }
    this.position = position;
  }

  /** Whether there is another line. */
  public boolean hasNext() {
    return position < index.total();
  }

  /** Position of the line that {@link #next} will read. */
  public long position() {
    return position;
  }

  /** The next line as a record. */
  public String next() throws IOException {
    LineIndex.Entry entry = index.files().get(file);
    while (ends(entry) <= position) {
      close();
      file++;
      entry = index.files().get(file);
    }
    long number = position - entry.start() + 1;
    readLine(entry);
    return entry.name() + "\t" + number + "\t" + line.toString(StandardCharsets.ISO_8859_1);
  }

  private static long ends(LineIndex.Entry entry) {
    return entry.start() + entry.lines();
  }

  private void readLine(LineIndex.Entry entry) throws IOException {
    InputStream in = open;
    if (in == null) {
      in = LineIndex.open(entry);
      open = in;
    }
    line.reset();
    int c = in.read();
    if (c < 0) {
      throw new EOFException(entry.path() + " has become shorter while the job was reading it");
    }
    while (c >= 0 && c != '\n') {
      line.write(c);
      c = in.read();
    }
    position++;
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
