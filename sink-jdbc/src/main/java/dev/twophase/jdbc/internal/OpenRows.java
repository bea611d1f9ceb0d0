package dev.twophase.jdbc.internal;

import dev.twophase.TransactionId;
import dev.twophase.jdbc.internal.rows.RowBuffer;

/** An open transaction: rows in memory, and a count of what is staged already. */
public final class OpenRows {

  final TransactionId id;
  final RowBuffer buffer;
  int stagedBlocks;
  long stagedBytes;
  boolean hasWaited;

  OpenRows(TransactionId id, RowBuffer buffer) {
    this.id = id;
    this.buffer = buffer;
  }
}
