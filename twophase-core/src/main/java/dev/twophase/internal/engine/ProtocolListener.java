package dev.twophase.internal.engine;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;

/** What the engine reports as it happens; metrics are made of it. */
public interface ProtocolListener {

  /** Ignores everything. */
  ProtocolListener NONE = new ProtocolListener() {};

  default void begun(TransactionId id) {}

  default void prepared(TransactionId id, long tookMillis) {}

  default void settled(
      PreparedTransaction<?> transaction, CommitEngine.Settlement settlement, long tookMillis) {}

  default void retried() {}

  default void lingeringAborted(int count) {}
}
