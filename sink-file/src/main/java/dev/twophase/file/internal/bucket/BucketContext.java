package dev.twophase.file.internal.bucket;

import dev.twophase.WriteContext;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.jspecify.annotations.Nullable;

/** Shows the context of the current record to a bucket assigner; one object for all records. */
public final class BucketContext implements BucketAssigner.Context {

  private @Nullable WriteContext current;

  /** The same object, for another record. */
  public BucketContext of(WriteContext context) {
    // The same as a rule, and to store a reference is dearer than to compare it.
    if (current != context) {
      current = context;
    }
    return this;
  }

  @Override
  public long currentProcessingTime() {
    return context().currentProcessingTime();
  }

  @Override
  public long currentWatermark() {
    return context().currentWatermark();
  }

  @Override
  public @Nullable Long timestamp() {
    return context().timestamp();
  }

  private WriteContext context() {
    WriteContext context = current;
    if (context == null) {
      throw new IllegalStateException("The context is valid only during getBucketId");
    }
    return context;
  }
}
