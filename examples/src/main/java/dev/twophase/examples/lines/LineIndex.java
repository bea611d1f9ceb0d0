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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
   * @param longestLine number of its longest line, from 1; 0 if it has none
   * @param longest bytes of that line
   */
  public record Entry(
      Path path, String name, long start, long lines, long longestLine, long longest) {}

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
      Entry file = measure(path, nameOf(directory.relativize(path)), total);
      files.add(file);
      total += file.lines();
    }
    return new LineIndex(files, total);
  }

  /**
   * Whether what is written to a place, which need not exist, would be read with the directory,
   * also by way of symbolic links.
   */
  public static boolean reads(Path directory, Path place) throws IOException {
    Set<Path> read = new HashSet<>();
    try (Stream<Path> walk = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      for (Path path : (Iterable<Path>) walk.filter(Files::isDirectory)::iterator) {
        read.add(path.toRealPath());
      }
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
    Path up = place.toAbsolutePath().normalize();
    while (up != null && !Files.exists(up)) {
      up = up.getParent();
    }
    for (up = up == null ? null : up.toRealPath(); up != null; up = up.getParent()) {
      if (read.contains(up)) {
        return true;
      }
    }
    return false;
  }

  /** All files, also empty ones. */
  public List<Entry> files() {
    return files;
  }

  /** Number of lines in all files. */
  public long total() {
    return total;
  }

  private static Entry measure(Path path, String name, long start) throws IOException {
    long lines = 0;
    long length = 0;
    long longest = -1;
    long longestLine = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(path)) {
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        for (int i = 0; i < read; i++) {
          if (buffer[i] != '\n') {
            length++;
            continue;
          }
          lines++;
          if (length > longest) {
            longest = length;
            longestLine = lines;
          }
          length = 0;
        }
      }
    }
    if (length > 0) {
      lines++;
      if (length > longest) {
        longest = length;
        longestLine = lines;
      }
    }
    return new Entry(path, name, start, lines, longestLine, Math.max(longest, 0));
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
