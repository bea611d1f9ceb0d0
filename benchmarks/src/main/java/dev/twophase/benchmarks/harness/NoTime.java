package dev.twophase.benchmarks.harness;

import dev.twophase.WriteContext;
import org.jspecify.annotations.Nullable;

/** For a sink that asks for no time. */
public enum NoTime implements WriteContext {
  INSTANCE;

  @Override
  public @Nullable Long timestamp() {
    return null;
  }

  @Override
  public long currentWatermark() {
    return Long.MIN_VALUE;
  }

  @Override
  public long currentProcessingTime() {
    return 0;
  }
}
