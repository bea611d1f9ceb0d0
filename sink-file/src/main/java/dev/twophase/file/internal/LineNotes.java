package dev.twophase.file.internal;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where lines branched off (R6): a note says that line L went on from checkpoint R, so that what
 * older lines have after R was left behind, whatever its number. The line is the number by which a
 * job owns the name ({@link OwnerMarks}). A note is an empty directory, durable before L publishes
 * anything and before the marks of what it left are replaced.
 */
public final class LineNotes {

  /** Why a line branched off. */
  public enum Reason {
    /** It was started from there and is about to publish. */
    BEGUN,
    /** The same, although something had been published since. */
    ACCEPTED,
    /** What had been published since is taken away: who goes on behind it would miss that. */
    RETIRED
  }

  /**
   * Where older lines were left.
   *
   * @param line the first that is not left behind
   * @param checkpoint the last of older lines that is not; 0 for none
   * @param transaction for people, and for the engine: one of the line, or one that it left
   */
  public record Note(long line, long checkpoint, Reason reason, TransactionId transaction) {

    private boolean concerns(long olderLine) {
      return olderLine < line;
    }

    private boolean leaves(long restoredLine, long restoredCheckpoint) {
      return concerns(restoredLine) && restoredCheckpoint > checkpoint;
    }

    private String name() {
      return line
          + "."
          + checkpoint
          + "."
          + reason.name().toLowerCase(Locale.ROOT)
          + "."
          + transaction;
    }
  }

  private static final Pattern NAME =
      Pattern.compile("(\\d{1,18})\\.(\\d{1,18})\\.(begun|accepted|retired)\\.(.+)");
  private static final int CHECKPOINT = 2;
  private static final int REASON = 3;
  private static final int TRANSACTION = 4;

  private final Storage storage;
  private final String sinkName;
  private final String directory;

  public LineNotes(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
    this.directory = FileNames.linesDirectory(sinkName);
  }

  /**
   * The note by which a state was left behind. One that tells of retirement comes first, and holds
   * for ever. Any other gives way to a later one that names this very checkpoint: it was gone back
   * to since, on purpose.
   */
  Optional<Note> abandoning(long restoredLine, long restoredCheckpoint) throws IOException {
    return abandoning(all(), restoredLine, restoredCheckpoint);
  }

  /** The same of notes that were read before. */
  static Optional<Note> abandoning(List<Note> notes, long restoredLine, long restoredCheckpoint) {
    Optional<Note> retired =
        notes.stream()
            .filter(note -> note.reason == Reason.RETIRED)
            .filter(note -> note.leaves(restoredLine, restoredCheckpoint))
            .findFirst();
    if (retired.isPresent()) {
      return retired;
    }
    long goneBackTo =
        notes.stream()
            .filter(note -> note.concerns(restoredLine) && note.checkpoint == restoredCheckpoint)
            .mapToLong(Note::line)
            .max()
            .orElse(0);
    return notes.stream()
        .filter(note -> note.leaves(restoredLine, restoredCheckpoint) && note.line > goneBackTo)
        .findFirst();
  }

  /** Leaves a durable note, unless one of that line says as much. */
  public void leave(Note note) throws IOException {
    try {
      if (all().stream().noneMatch(there -> saysAsMuch(there, note))) {
        storage.makeDirectories(path(note));
      }
      storage.syncDirectory(directory);
      storage.syncDirectory(FileNames.HIDDEN);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot leave a note in " + storage.fullName(directory), error);
    }
  }

  private static boolean saysAsMuch(Note there, Note wanted) {
    return there.line == wanted.line
        && there.checkpoint <= wanted.checkpoint
        && (there.reason == wanted.reason || wanted.reason == Reason.BEGUN);
  }

  String path(Note note) {
    return directory + "/" + note.name();
  }

  /** All there are. */
  List<Note> all() throws IOException {
    try {
      return storage.names(directory).stream().map(this::parse).flatMap(Optional::stream).toList();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot list " + storage.fullName(directory), error);
    }
  }

  private Optional<Note> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return TransactionId.parse(matcher.group(TRANSACTION))
        .filter(id -> id.sinkName().equals(sinkName))
        .map(
            id ->
                new Note(
                    Long.parseLong(matcher.group(1)),
                    Long.parseLong(matcher.group(CHECKPOINT)),
                    Reason.valueOf(matcher.group(REASON).toUpperCase(Locale.ROOT)),
                    id));
  }
}
