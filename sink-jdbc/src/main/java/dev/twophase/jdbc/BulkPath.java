package dev.twophase.jdbc;

/** How rows reach the target when they are committed. All paths store the same values. */
public enum BulkPath {
  /** The fastest that the database and the operation allow: COPY on PostgreSQL, else BATCH. */
  AUTO,
  /** Batched statements: works everywhere. Drivers that rewrite batches may do so. */
  BATCH,
  /**
   * PostgreSQL: COPY, for upserts and deletes into a temporary table first. Values must have the
   * column's type: nothing is cast. Not for tables with row-level security.
   */
  COPY,
  /** PostgreSQL: one array per column. For inserts; upserts and deletes go in batches. */
  UNNEST,
  /**
   * MariaDB and MySQL: LOAD DATA LOCAL from memory; the driver and the server must allow it. Where
   * the server would skip or change a value, batches are used instead, and say so.
   */
  LOAD_DATA
}
