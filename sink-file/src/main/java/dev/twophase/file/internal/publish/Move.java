package dev.twophase.file.internal.publish;

import dev.twophase.file.internal.storage.FileStatus;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/**
 * The move of one staged file to its visible name, decided by what is found on disk and by nothing
 * else (C6), so that it can be made again at any time, by any process, and by two at once (C2).
 * Used by one thread at a time.
 */
final class Move {

  /** What has come of it. */
  enum Verdict {
    /** Not yet known. */
    OPEN,
    /** This move made it visible. */
    MOVED,
    /** It has been visible before. */
    ALREADY,
    /** The bytes are gone. */
    LOST,
    /** Something else is in the way. */
    REFUSED
  }

  /** Each round means that another mover was faster between a look and a step. */
  private static final int MAX_ROUNDS = 10;

  private final Storage storage;
  private final PreparedFile file;
  private final String staged;
  private final String target;
  private Verdict verdict = Verdict.OPEN;
  private Optional<FileStatus> asked;
  private boolean stagedLeft = true;
  private boolean caughtUp;
  private String detail = "";

  Move(Storage storage, PreparedFile file, String staged, String target) {
    this(storage, file, staged, target, Optional.empty());
  }

  /**
   * @param asked what the storage has just said of the settled staged file, if it was asked
   */
  Move(
      Storage storage,
      PreparedFile file,
      String staged,
      String target,
      Optional<FileStatus> asked) {
    this.asked = asked;
    this.storage = storage;
    this.file = file;
    this.staged = staged;
    this.target = target;
  }

  /** Whether it was made before, by the visible file alone. */
  boolean isDone() throws IOException {
    try {
      FileStatus found = storage.status(target);
      return found.isFile()
          && found.length() == file.length()
          && storage.checksum(target) == file.checksum();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot look at " + storage.fullName(target), error);
    }
  }

  Verdict verdict() {
    return verdict;
  }

  /** Evidence of a loss, or the reason of a refusal and what to do. */
  String detail() {
    return detail;
  }

  String bucket() {
    return file.bucket();
  }

  /** The directory of the staged name. */
  String stagedIn() {
    return staged.substring(0, staged.lastIndexOf('/'));
  }

  boolean isVisible() {
    return verdict == Verdict.MOVED || verdict == Verdict.ALREADY;
  }

  /** Whether it stands published and its staged name was gone before this move. */
  boolean wasTidied() {
    return verdict == Verdict.ALREADY && !stagedLeft;
  }

  /** Whether neither name is there. */
  boolean isMissing() {
    return verdict == Verdict.LOST && !stagedLeft;
  }

  /** Takes it as made before, on evidence from elsewhere. */
  void accept() {
    decide(Verdict.ALREADY, "");
  }

  /** Makes the file visible, or finds out why it cannot be. */
  void run() throws IOException {
    try {
      for (int round = 0; verdict == Verdict.OPEN && round < MAX_ROUNDS; round++) {
        if (isStagedWhole()) {
          publish();
        }
      }
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot publish " + storage.fullName(target), error);
    }
    if (verdict == Verdict.OPEN) {
      throw new IOException(
          "Cannot publish "
              + storage.fullName(target)
              + ": the file system says by turns that it is there and that it is not. Check that the"
              + " directory is not cached inconsistently between machines");
    }
  }

  /** Removes the staged name; to be called once the visible one is durable. */
  void tidy() throws IOException {
    if (isVisible() && stagedLeft) {
      try {
        storage.delete(staged);
      } catch (IOException error) {
        throw StorageErrors.explain("Cannot remove " + storage.fullName(staged), error);
      }
    }
  }

  private boolean isStagedWhole() throws IOException {
    // Before any look at the target: a mover makes the visible name before it removes the staged
    // one, so the other order could miss both.
    FileStatus found = asked.isPresent() ? asked.get() : storage.settled(staged);
    asked = Optional.empty();
    stagedLeft = !found.isAbsent();
    if (found.isAbsent()) {
      lookForTarget();
    } else if (!found.isFile()) {
      decide(Verdict.REFUSED, named(staged) + " is " + found + ". Move it away");
    } else if (found.length() < file.length()) {
      decide(
          Verdict.LOST,
          named(staged)
              + " has only "
              + found.length()
              + " of the "
              + file.length()
              + " bytes that were synced to it");
    } else if (found.length() > file.length()) {
      decide(
          Verdict.REFUSED,
          named(staged)
              + " has grown from "
              + file.length()
              + " to "
              + found.length()
              + " bytes since it was closed. Find out what writes to it, and cut it back");
    }
    return verdict == Verdict.OPEN;
  }

  private void publish() throws IOException {
    try {
      stagedLeft = storage.publish(staged, target);
      decide(Verdict.MOVED, "");
    } catch (FileAlreadyExistsException taken) {
      compare(storage.status(target));
    } catch (NoSuchFileException missing) {
      // The bucket, or by another mover's doing the staged file: the next round tells.
      storage.makeDirectories(file.bucket());
    }
  }

  private void lookForTarget() throws IOException {
    FileStatus found = storage.status(target);
    if (found.isAbsent() && !caughtUp) {
      caughtUp = true;
      if (storage.catchUp()) {
        return;
      }
    }
    if (found.isAbsent()) {
      decide(
          Verdict.LOST,
          named(target)
              + " was never published or has been removed, and its staged file "
              + named(staged)
              + " is missing");
    } else {
      compare(found);
    }
  }

  private void compare(FileStatus found) throws IOException {
    if (found.isAbsent()) {
      return;
    }
    if (!found.isFile()) {
      decide(Verdict.REFUSED, named(target) + " is taken by " + found + ". Move it away");
    } else if (found.length() != file.length()) {
      decide(
          Verdict.REFUSED,
          named(target)
              + " is taken by a foreign file of "
              + found.length()
              + " bytes instead of "
              + file.length()
              + ". Find out what wrote it, and move it away");
    } else if ((stagedLeft && storage.sameFile(staged, target))
        || storage.checksum(target) == file.checksum()) {
      decide(Verdict.ALREADY, "");
    } else {
      decide(
          Verdict.REFUSED,
          named(target)
              + " is taken by a foreign file of the same length but with another checksum. Find out"
              + " what wrote it, and move it away");
    }
  }

  private void decide(Verdict found, String why) {
    verdict = found;
    detail = why;
  }

  private String named(String path) {
    return "'" + storage.fullName(path) + "'";
  }
}
