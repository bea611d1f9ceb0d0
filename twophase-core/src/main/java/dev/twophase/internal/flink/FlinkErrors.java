package dev.twophase.internal.flink;

import java.io.IOException;

/** Fits the protocol's checked exceptions into the signatures of Sink V2. */
public final class FlinkErrors {

  private FlinkErrors() {}

  /**
   * The error as an {@link IOException}, itself if it is one.
   *
   * @throws RuntimeException the error, if it is unchecked
   */
  public static IOException asIoException(Exception error) {
    if (error instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return error instanceof IOException io ? io : new IOException(error.getMessage(), error);
  }
}
