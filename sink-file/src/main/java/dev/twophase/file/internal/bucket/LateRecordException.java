package dev.twophase.file.internal.bucket;

import java.io.IOException;

/** A record for a bucket that is complete: nothing that a file system could be blamed for. */
public final class LateRecordException extends IOException {

  private static final long serialVersionUID = 1L;

  LateRecordException(String message) {
    super(message);
  }
}
