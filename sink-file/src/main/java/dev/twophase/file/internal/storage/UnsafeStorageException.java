package dev.twophase.file.internal.storage;

import java.nio.file.FileSystemException;

/** What a file system lacks by its nature, so that no restart would get further. */
public final class UnsafeStorageException extends FileSystemException {

  private static final long serialVersionUID = 1L;

  /**
   * @param reason what is missing, and what to use instead
   */
  public UnsafeStorageException(String path, String reason) {
    super(path, null, reason);
  }
}
