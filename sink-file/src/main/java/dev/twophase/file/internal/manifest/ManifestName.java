package dev.twophase.file.internal.manifest;

import dev.twophase.TransactionId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one part of a checkpoint's manifest is called, after the checkpoint: {@code
 * PARTS.TRANSACTION}, {@code .wWATERMARK} where buckets get markers, {@code .lLINE} where jobs are
 * told apart, and {@code .end} on the last part of a subtask.
 *
 * @param parts number of subtasks that leave one
 * @param watermark which the subtask had passed
 * @param line number of the job: one that starts later has a higher one; 0 if they are not told
 *     apart
 * @param last whether the subtask has come to its end, so that later checkpoints have no part of it
 */
public record ManifestName(
    int parts, TransactionId transaction, OptionalLong watermark, long line, boolean last) {

  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{1,9})\\.([^.]+\\.[^.]+\\.[^.]+\\.[^.]+?)(?:\\.w(-?\\d{1,19}))?(?:\\.l(\\d{1,18}))?"
              + "(\\.end)?");
  private static final int LINE = 4;
  private static final int LAST = 5;

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
    long line = matcher.group(LINE) == null ? 0 : Long.parseLong(matcher.group(LINE));
    boolean last = matcher.group(LAST) != null;
    return TransactionId.parse(matcher.group(2))
        .filter(id -> id.sinkName().equals(sinkName))
        .map(id -> new ManifestName(parts, id, watermark, line, last));
  }

  /** Reads what stands behind the checkpoint in the name of a visible manifest. */
  public static Optional<ManifestName> afterCheckpoint(String fileName, String sinkName) {
    return parse(fileName.substring(fileName.indexOf('.') + 1), sinkName);
  }

  /** The text form. */
  public String text() {
    return parts
        + "."
        + transaction
        + (watermark.isPresent() ? ".w" + watermark.getAsLong() : "")
        + (line > 0 ? ".l" + line : "")
        + (last ? ".end" : "");
  }
}
