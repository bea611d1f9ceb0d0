package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
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

  /**
   * Whether a restart would meet the same: who may write where, and what lies where, not how full
   * or how well it is.
   */
  public static boolean lasts(IOException cause) {
    return cause instanceof UnsafeStorageException
        || forbidden(cause)
        || inTheWay(cause)
        || elsewhere(cause);
  }

  private static boolean forbidden(IOException cause) {
    return cause instanceof AccessDeniedException
        || text(cause).contains("read-only")
        || text(cause).contains("permission denied");
  }

  private static boolean inTheWay(IOException cause) {
    return cause instanceof NotDirectoryException
        || cause instanceof FileAlreadyExistsException
        || text(cause).contains("not a directory");
  }

  /** In the words of Linux and HDFS, and of ours. */
  private static boolean elsewhere(IOException cause) {
    return text(cause).contains("cross-device link")
        || text(cause).contains("on another file system")
        || text(cause).contains("encryption zone");
  }

  private static String text(IOException cause) {
    return String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
  }

  private static String remedy(IOException cause) {
    if (cause instanceof UnsafeStorageException) {
      return "Nothing was published";
    }
    String text = text(cause);
    if (text.contains("no space left") || text.contains("quota")) {
      return "Free space or raise the quota; nothing was published that is not complete, and the"
          + " restart continues from the last checkpoint";
    }
    if (forbidden(cause)) {
      return "Give the user that runs the TaskManagers write permission, and mount the file system"
          + " read-write";
    }
    if (inTheWay(cause)) {
      return "Something that is no directory stands where the sink needs one: move it away or choose"
          + " another bucket or directory";
    }
    if (elsewhere(cause)) {
      return "Nothing is lost: what is prepared stays where it is. Let the sink's directory, the"
          + " .twophase in it and all its buckets lie on one file system and in one encryption zone,"
          + " without a mount point or a symbolic link between them, or give each a sink of its own";
    }
    if (text.contains("too many open files")) {
      return "Raise the limit of open files, or use fewer buckets per subtask by keying the stream"
          + " by bucket";
    }
    if (text.contains("name too long")) {
      return "Shorten the bucket, prefix or suffix";
    }
    if (text.contains("could only be written to")) {
      return "The DataNodes have no room, or no threads left: add some, raise their"
          + " dfs.datanode.max.transfer.threads, or key the stream by bucket so that a subtask has"
          + " fewer files open; ioThreads(1) opens them one by one at the barrier";
    }
    if (cause instanceof NoSuchFileException) {
      return "Something else removes files or directories of this sink: stop it from doing so; or no"
          + " directory can be made there: choose another";
    }
    return "Mend the file system; the restart continues from the last checkpoint";
  }
}
