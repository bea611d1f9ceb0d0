package dev.twophase.examples.lines;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files below a directory, in the order of their names, and how many lines each has: gives
 * every line of the directory a position. Symbolic links are followed. Immutable.
 */
public final class LineIndex {

  /**
   * One file.
   *
   * @param name path below the directory, with everything but plain letters, digits and {@code
   *     -._/} as %XX
   * @param start position of its first line
   * @param lines number of its lines
   */
  public record Entry(Path path, String name, long start, long lines) {}

  private final List<Entry> files;
  private final long total;

  private LineIndex(List<Entry> files, long total) {
    this.files = List.copyOf(files);
    this.total = total;
  }

  /**
   * Reads every file once.
   *
   * @throws IOException if the directory or one of its files cannot be read
   */
  public static LineIndex of(Path directory) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      paths = walk.filter(Files::isRegularFile).sorted().toList();
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
    List<Entry> files = new ArrayList<>(paths.size());
    long total = 0;
    for (Path path : paths) {
      long lines = countLines(path);
      files.add(new Entry(path, nameOf(directory.relativize(path)), total, lines));
      total += lines;
    }
    return new LineIndex(files, total);
  }

  /** All files, also empty ones. */
  public List<Entry> files() {
    return files;
  }

  /** Number of lines in all files. */
  public long total() {
    return total;
  }

  private static long countLines(Path path) throws IOException {
    long lines = 0;
    int last = '\n';
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(path)) {
      for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
        for (int i = 0; i < length; i++) {
          if (buffer[i] == '\n') {
            lines++;
          }
        }
        last = buffer[length - 1];
      }
    }
    return last == '\n' ? lines : lines + 1;
  }

  private static String nameOf(Path relative) {
    StringBuilder name = new StringBuilder();
    for (byte unit : relative.toString().getBytes(StandardCharsets.UTF_8)) {
      int c = unit & 0xff;
      if (c < 128 && (Character.isLetterOrDigit(c) || "-._/".indexOf(c) >= 0)) {
        name.append((char) c);
      } else {
        name.append(String.format("%%%02X", c));
      }
    }
    return name.toString();
  }

  /** Opens a reader of the file's lines, which stand for bytes as ISO-8859-1 characters. */
  static InputStream open(Entry file) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file.path()), 1 << 16);
  }
}
