package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one part of a checkpoint's manifest is called, after the checkpoint: {@code
 * PARTS.TRANSACTION}, and {@code .wWATERMARK} where buckets get markers.
 *
 * @param parts number of subtasks that leave one
 * @param watermark which the subtask had passed
 */
public record ManifestName(int parts, TransactionId transaction, OptionalLong watermark) {

  private static final Pattern NAME =
      Pattern.compile("(\\d{1,9})\\.([^.]+\\.[^.]+\\.[^.]+\\.[^.]+?)(?:\\.w(-?\\d{1,19}))?");

  /** Reads the text form; empty if it is none of this sink's. */
  public static Optional<ManifestName> parse(String text, String sinkName) {
    Matcher matcher = NAME.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int parts = Integer.parseInt(matcher.group(1));
    OptionalLong watermark =
        matcher.group(3) == null
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(matcher.group(3)));
    return TransactionId.parse(matcher.group(2))
        .filter(id -> id.sinkName().equals(sinkName))
        .map(id -> new ManifestName(parts, id, watermark));
  }

  /** Reads what stands behind the checkpoint in the name of a visible manifest. */
  public static Optional<ManifestName> afterCheckpoint(String fileName, String sinkName) {
    return parse(fileName.substring(fileName.indexOf('.') + 1), sinkName);
  }

  /** The text form. */
  public String text() {
    String name = parts + "." + transaction;
    return watermark.isPresent() ? name + ".w" + watermark.getAsLong() : name;
  }
}
