package dev.twophase.file.internal;

import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.file.internal.LineNotes.Note;
import dev.twophase.file.internal.LineNotes.Reason;
import dev.twophase.file.internal.publish.Commit;
import dev.twophase.file.internal.publish.PublishedFiles;
import dev.twophase.file.internal.publish.Publisher;
import dev.twophase.file.internal.publish.SinceMarks;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
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
            + place(note)
            + ": what it had published since, such as transaction "
            + note.transaction()
            + ", was retired, and going on from here would lose those records, whatever"
            + " rewindPolicy is. Restore from the latest checkpoint of the job that took its place,"
            + " or "
            + start(note)
            + ". "
            + otherwise(note));
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

  /**
   * Refuses to publish what a line had prepared after the point where it was left. In a chain,
   * Flink commits what it restores before the writer starts and looks; and of two running jobs the
   * former commits without a writer's start in between. What is published already is the writer's
   * to tell.
   *
   * @param accepting whether records may be there twice
   */
  void refuseLeft(List<Commit> commits, boolean accepting, Publisher publisher)
      throws IOException, CommitRefusedException {
    if (commits.stream().noneMatch(commit -> commit.handle().hasLine())) {
      return;
    }
    List<Note> all = notes.all();
    for (Commit commit : commits) {
      Optional<Note> note =
          commit.handle().hasLine()
              ? LineNotes.abandoning(all, commit.handle().line(), commit.checkpointId())
              : Optional.empty();
      if (note.isPresent()
          && (!accepting || note.get().reason() == Reason.RETIRED)
          && !publisher.isPublished(commit)) {
        throw new CommitRefusedException(left(commit, note.get()));
      }
    }
  }

  private String left(Commit commit, Note note) throws IOException {
    return "Sink '"
        + sinkName
        + "' has not published transaction "
        + commit.id()
        + " of checkpoint "
        + commit.checkpointId()
        + ", because its job was left behind at "
        + place(note)
        + (note.reason() == Reason.RETIRED
            ? ", and what it had published since was retired"
            : ": job "
                + OwnerMarks.jobOf(storage, sinkName, note.line()).orElse("" + note.line())
                + " took its place, and may publish the same records")
        + ". Restore from the latest checkpoint of that job, or "
        + start(note)
        + ". "
        + otherwise(note);
  }

  private static String place(Note note) {
    return note.checkpoint() == 0 ? "its start" : "checkpoint " + note.checkpoint();
  }

  /** What makes the note void, which only people can know. */
  private String otherwise(Note note) {
    return (note.reason() == Reason.RETIRED
            ? "If what was retired has been put back, remove "
            : "If that job never completed a checkpoint, it published nothing: then remove ")
        + storage.fullName(notes.path(note))
        + " and start again";
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
        + left.map(Rewinds::start).orElse("start again")
        + left.filter(note -> note.reason() == Reason.BEGUN)
            .map(
                note ->
                    ", or, if the job that left the note "
                        + storage.fullName(notes.path(note))
                        + " never completed a checkpoint, remove that and start again")
            .orElse("");
  }
}
