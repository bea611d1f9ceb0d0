package dev.twophase.file.internal.storage;

/**
 * What is at a path.
 *
 * @param length in bytes; 0 unless it is a file
 */
public record FileStatus(Kind kind, long length) {

  /** Nothing is there. */
  public static final FileStatus ABSENT = new FileStatus(Kind.ABSENT, 0);

  /** Kinds of things the sink tells apart. */
  public enum Kind {
    ABSENT,
    FILE,
    DIRECTORY,
    /** A symbolic link, a device, a socket. */
    OTHER
  }

  public boolean isFile() {
    return kind == Kind.FILE;
  }

  public boolean isAbsent() {
    return kind == Kind.ABSENT;
  }

  /** For messages. */
  @Override
  public String toString() {
    return switch (kind) {
      case ABSENT -> "nothing";
      case FILE -> "a file of " + length + " bytes";
      case DIRECTORY -> "a directory";
      case OTHER -> "something that is neither a file nor a directory";
    };
  }
}
