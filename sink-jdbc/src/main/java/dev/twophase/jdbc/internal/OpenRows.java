package dev.twophase.jdbc.internal;

import dev.twophase.TransactionId;
import dev.twophase.jdbc.internal.rows.RowBuffer;

/** An open transaction: rows in memory, and a count of the blocks that are staged already. */
public final class OpenRows {

  final TransactionId id;
  final RowBuffer buffer;
  int stagedBlocks;

  OpenRows(TransactionId id, RowBuffer buffer) {
    this.id = id;
    this.buffer = buffer;
  }
}
