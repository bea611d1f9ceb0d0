package dev.twophase.benchmarks.fileparquet;

/** Who writes the Parquet files. */
enum ParquetKind {
  OURS,
  FILE_SINK,
  /** Parquet's writer to a local file, synced at the end. */
  BARE
}
