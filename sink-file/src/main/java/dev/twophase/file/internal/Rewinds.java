package dev.twophase.file.internal;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.file.internal.LineNotes.Note;
import dev.twophase.file.internal.LineNotes.Reason;
import dev.twophase.file.internal.publish.PublishedFiles;
import dev.twophase.file.internal.publish.SinceMarks;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Whether a writer was taken back behind something published (R6): within its line by the marks of
 * what was committed, and from one line to another by the notes of where lines branched off.
 */
final class Rewinds {

  private final Storage storage;
  private final String sinkName;
  private final int subtask;
  private final UUID attempt;
  private final OptionalLong restoredLine;
  private final LineNotes notes;
  private OptionalLong restoredCheckpoint = OptionalLong.empty();
  private Optional<Note> left = Optional.empty();

  Rewinds(Storage storage, ConnectorContext context) {
    this.storage = storage;
    this.sinkName = context.sinkName();
    this.subtask = context.subtask();
    this.attempt = context.attemptNonce();
    this.restoredLine = context.restoredLine();
    this.notes = new LineNotes(storage, sinkName);
  }

  /** The line of the restored state; 0 if it is unknown, which every line is newer than. */
  long restoredLine() {
    return restoredLine.orElse(0);
  }

  /**
   * Something that was committed and that the restored checkpoint does not cover.
   *
   * @throws RewindDetectedException if files that it does cover were retired
   */
  Optional<TransactionId> find(long checkpointId) throws IOException, RewindDetectedException {
    restoredCheckpoint = OptionalLong.of(checkpointId);
    left =
        restoredLine.isPresent()
            ? notes.abandoning(restoredLine.getAsLong(), checkpointId)
            : Optional.empty();
    if (left.isPresent() && left.get().reason() == Reason.RETIRED) {
      throw retired(left.get(), checkpointId);
    }
    Optional<TransactionId> within = committedSince(checkpointId);
    return within.isPresent() ? within : left.map(Note::transaction);
  }

  /** By the marks; where nothing was committed since there are marks, by the published files. */
  private Optional<TransactionId> committedSince(long checkpointId) throws IOException {
    Optional<TransactionId> highest = SinceMarks.highest(storage, sinkName);
    if (highest.isPresent()) {
      return highest.filter(mark -> mark.since() >= checkpointId);
    }
    return new PublishedFiles(storage, sinkName).since(checkpointId);
  }

  /** Publishing again would not bring back what is missing, so no policy accepts it. */
  private RewindDetectedException retired(Note note, long checkpointId) {
    return new RewindDetectedException(
        "Sink '"
            + sinkName
            + "' was started from checkpoint "
            + checkpointId
            + " of a job that was left behind at "
            + (note.checkpoint() == 0 ? "its start" : "checkpoint " + note.checkpoint())
            + ": what it had published since, such as transaction "
            + note.transaction()
            + ", was retired, and going on from here would lose those records, whatever"
            + " rewindPolicy is. Restore from the latest checkpoint of the job that took its place,"
            + " or "
            + start(note)
            + ". If what was retired has been put back, remove "
            + storage.fullName(notes.path(note))
            + " and start again");
  }

  private static String start(Note note) {
    return note.checkpoint() == 0
        ? "start without state"
        : "restore checkpoint " + note.checkpoint();
  }

  /**
   * Notes that the job goes on from here all the same, and makes what was committed since no proof
   * any more: the next start of the new line is no rewind. In this order: a crash in between leaves
   * both, and is a rewind again.
   *
   * @param line the new one; empty if jobs are not told apart
   */
  void accept(long checkpointId, OptionalLong line) throws IOException {
    TransactionId mark =
        new TransactionId(sinkName, subtask, Math.max(0, checkpointId - 1), attempt);
    if (line.isPresent()) {
      notes.leave(new Note(line.getAsLong(), checkpointId, Reason.ACCEPTED, mark));
    }
    SinceMarks.accept(storage, mark, checkpointId);
  }

  /**
   * Notes where this line branched off, before it publishes anything. Whose state is of no known
   * line leaves that to the others, unless there is no state at all.
   */
  void begin(long line, TransactionId first) throws IOException {
    boolean branches =
        restoredCheckpoint.isPresent()
            && (restoredLine.isPresent()
                ? restoredLine.getAsLong() < line
                : restoredCheckpoint.getAsLong() == 0);
    if (branches) {
      notes.leave(new Note(line, restoredCheckpoint.getAsLong(), Reason.BEGUN, first));
    }
  }

  /** How to go back all the same. */
  String remedy(long checkpointId) {
    long target = left.map(Note::checkpoint).orElse(checkpointId);
    return "take what was published since "
        + (left.isEmpty() ? "" : "the two jobs parted ")
        + "out of "
        + storage.base()
        + " by SinkDirectory.retirePublishedSince("
        + target
        + ") of sink \""
        + sinkName
        + "\" and "
        + left.map(Rewinds::start).orElse("start again");
  }
}
