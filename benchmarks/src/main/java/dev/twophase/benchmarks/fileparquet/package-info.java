/** Parquet files: what the sink adds to the bare writer. */
@NullMarked
package dev.twophase.benchmarks.fileparquet;

import org.jspecify.annotations.NullMarked;
