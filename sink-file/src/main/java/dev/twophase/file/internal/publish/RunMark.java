package dev.twophase.file.internal.publish;

import dev.twophase.file.internal.manifest.ManifestName;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says that a subtask runs since a checkpoint, so that a reader of manifests waits for its parts of
 * later ones, whatever earlier attempts and jobs have left. An empty directory, durable before any
 * checkpoint of the attempt completes. Attempts that begin at the same checkpoint share one. Of the
 * attempts of one subtask in one job the first counts, which tells where the job begins, and the
 * last ones; those between go.
 *
 * @param line number of the job: one that starts later has a higher one; 0 if jobs are not told
 *     apart
 * @param parts number of subtasks
 * @param checkpoint that was restored, or 0; or of the last transaction
 * @param ended whether it says the opposite: that the subtask has ended, where the part that would
 *     say so is lost or moved away
 */
public record RunMark(long line, int parts, int subtask, long checkpoint, boolean ended) {

  private static final Pattern NAME =
      Pattern.compile("(\\d{1,18})\\.(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,18})(\\.end)?");
  private static final int CHECKPOINT = 4;
  private static final int ENDED = 5;

  /** All marks of a sink. */
  public static List<RunMark> all(Storage storage, String sinkName) throws IOException {
    List<RunMark> marks = new ArrayList<>();
    for (String name : storage.names(FileNames.runsDirectory(sinkName))) {
      parse(name).ifPresent(marks::add);
    }
    return marks;
  }

  private static Optional<RunMark> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new RunMark(
                Long.parseLong(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Long.parseLong(matcher.group(CHECKPOINT)),
                matcher.group(ENDED) != null))
        : Optional.empty();
  }

  /**
   * What is said of a transaction that was its subtask's last, if it was, besides its part of the
   * manifest, which may be lost, or moved away by those whom it concerns no more.
   */
  public static Optional<RunMark> ofEnd(Commit commit) {
    return commit
        .manifestName()
        .filter(ManifestName::last)
        .map(
            name ->
                new RunMark(
                    name.line(), name.parts(), commit.id().subtask(), commit.checkpointId(), true));
  }

  /**
   * Removes those between the first of this subtask in this job and the two before this one. They
   * are asked for only while a checkpoint up to the next attempt's beginning is the last complete
   * one; by now this attempt has restored a later one, before which all that was published.
   */
  public void tidy(Storage storage, String sinkName) throws IOException {
    List<RunMark> former =
        all(storage, sinkName).stream()
            .filter(mark -> mark.line == line && mark.parts == parts && mark.subtask == subtask)
            .filter(mark -> !mark.ended && mark.checkpoint < checkpoint)
            .sorted(Comparator.comparingLong(RunMark::checkpoint))
            .toList();
    for (int i = 1; i < former.size() - 2; i++) {
      storage.delete(former.get(i).path(sinkName));
    }
  }

  /** Removes those that tell of ends after a checkpoint, which an abandoned line has left. */
  public static void forgetEnds(Storage storage, String sinkName, long checkpointId)
      throws IOException {
    for (RunMark mark : all(storage, sinkName)) {
      if (mark.ended && mark.checkpoint > checkpointId) {
        storage.delete(mark.path(sinkName));
      }
    }
  }

  /** Leaves it, durably. */
  public void leave(Storage storage, String sinkName) throws IOException {
    String directory = FileNames.runsDirectory(sinkName);
    try {
      storage.makeDirectories(path(sinkName));
      storage.syncDirectory(directory);
      storage.syncDirectory(FileNames.HIDDEN);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot leave a mark in " + storage.fullName(directory), error);
    }
  }

  private String path(String sinkName) {
    return FileNames.runsDirectory(sinkName)
        + "/"
        + line
        + "."
        + parts
        + "."
        + subtask
        + "."
        + checkpoint
        + (ended ? ".end" : "");
  }
}
