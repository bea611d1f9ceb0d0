package dev.twophase.file.internal.manifest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one subtask publishes in one checkpoint, as text. The name of a manifest file says of which
 * checkpoint, of how many parts, and of which transaction; its content lists the files.
 *
 * <pre>
 * twophase-manifest 1
 * file 1234 0a1b2c3d 2026-11-29/part.orders.0.17.00c0ffee….0.txt
 * end 1
 * </pre>
 */
public record ManifestText(List<Entry> entries) {

  /** A published file; its path is relative to the sink's directory. */
  public record Entry(String path, long length, int checksum) {}

  private static final String HEADER = "twophase-manifest 1";
  private static final Pattern FILE =
      Pattern.compile("file (\\d{1,19}) ([0-9a-f]{8}) (.+)", Pattern.DOTALL);
  private static final int HEX = 16;

  public ManifestText {
    entries = List.copyOf(entries);
  }

  /** The text, ending with a line that says it is whole. */
  public String format() {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (Entry entry : entries) {
      text.append("file ")
          .append(entry.length())
          .append(' ')
          .append(String.format("%08x", entry.checksum()))
          .append(' ')
          .append(escape(entry.path()))
          .append('\n');
    }
    return text.append("end ").append(entries.size()).append('\n').toString();
  }

  /**
   * Reads it back.
   *
   * @throws IOException if it is damaged or of a later version
   */
  public static ManifestText parse(String text) throws IOException {
    List<String> lines = text.lines().toList();
    if (lines.size() < 2 || !lines.get(0).equals(HEADER)) {
      throw new IOException("not a manifest of version 1: it begins with '" + first(lines) + "'");
    }
    List<Entry> entries = new ArrayList<>();
    for (String line : lines.subList(1, lines.size() - 1)) {
      Matcher matcher = FILE.matcher(line);
      if (!matcher.matches()) {
        throw new IOException("a line of a manifest cannot be read: " + line);
      }
      entries.add(
          new Entry(
              unescape(matcher.group(3)),
              Long.parseLong(matcher.group(1)),
              Integer.parseUnsignedInt(matcher.group(2), HEX)));
    }
    if (!lines.get(lines.size() - 1).equals("end " + entries.size())) {
      throw new IOException("the end of a manifest is missing");
    }
    return new ManifestText(entries);
  }

  private static String first(List<String> lines) {
    return lines.isEmpty() ? "" : lines.get(0);
  }

  private static String escape(String path) {
    return path.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D");
  }

  private static String unescape(String path) {
    return path.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%");
  }
}
