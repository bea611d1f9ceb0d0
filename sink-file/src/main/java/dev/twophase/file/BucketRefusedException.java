package dev.twophase.file;

import org.jspecify.annotations.Nullable;

/**
 * A bucket assigner gave a record a bucket that cannot be one: an error of the job's code, which
 * every restart meets again.
 *
 * <p>Flink restarts the job after it all the same, as often as the job's restart strategy says. An
 * exception that ends the job would take its checkpoints with it unless they are retained, and with
 * them what is prepared and not yet published.
 */
public final class BucketRefusedException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final @Nullable String bucket;

  /**
   * @param bucket as the bucket assigner gave it
   * @param message names bucket, reason, where the record is, and what to do
   */
  public BucketRefusedException(
      @Nullable String bucket, String message, IllegalArgumentException cause) {
    super(message, cause);
    this.bucket = bucket;
  }

  /** The bucket, as the bucket assigner gave it. */
  public @Nullable String bucket() {
    return bucket;
  }
}
