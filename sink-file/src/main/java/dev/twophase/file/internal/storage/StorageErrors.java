package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/** Turns an error of the file system into one that says what to do. */
public final class StorageErrors {

  private StorageErrors() {}

  /**
   * The same error, with what to do about it.
   *
   * @param attempted what failed, as in "Cannot write to out/x"
   * @param cause the error
   */
  public static IOException explain(String attempted, IOException cause) {
    return new IOException(describe(attempted, cause), cause);
  }

  /** The message of {@link #explain}. */
  public static String describe(String attempted, IOException cause) {
    // What a server sends has its stack trace behind the first line.
    String first = cause.toString().lines().findFirst().orElse("");
    return attempted + ": " + first + ". " + remedy(cause);
  }

  private static String remedy(IOException cause) {
    String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota")) {
      return "Free space or raise the quota; nothing was published that is not complete, and the"
          + " restart continues from the last checkpoint";
    }
    if (cause instanceof AccessDeniedException || text.contains("read-only")) {
      return "Give the user that runs the TaskManagers write permission, and mount the file system"
          + " read-write";
    }
    if (cause instanceof NotDirectoryException || text.contains("not a directory")) {
      return "Something that is no directory stands where the sink needs one: move it away or choose"
          + " another bucket or directory";
    }
    if (text.contains("too many open files")) {
      return "Raise the limit of open files, or use fewer buckets per subtask by keying the stream"
          + " by bucket";
    }
    if (text.contains("name too long")) {
      return "Shorten the bucket, prefix or suffix";
    }
    if (cause instanceof NoSuchFileException) {
      return "Something else removes files or directories of this sink: stop it from doing so";
    }
    return "Mend the file system; the restart continues from the last checkpoint";
  }
}
