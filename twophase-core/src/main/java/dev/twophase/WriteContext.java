package dev.twophase;

import org.jspecify.annotations.Nullable;

/** What Flink knows of the record being written. Valid only during the call. */
public interface WriteContext {

  /** The record's event time in milliseconds, or null if it has none. */
  @Nullable Long timestamp();

  /** The current watermark in milliseconds; {@code Long.MIN_VALUE} before the first. */
  long currentWatermark();

  /** The current processing time in milliseconds. */
  long currentProcessingTime();
}
