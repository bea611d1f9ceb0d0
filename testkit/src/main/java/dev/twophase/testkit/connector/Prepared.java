package dev.twophase.testkit.connector;

import dev.twophase.TransactionId;

/**
 * A prepared transaction as a checkpoint keeps it: what survives a crash, and nothing else (S1).
 * Immutable, but for the handle.
 */
public final class Prepared {

  private final TransactionId id;
  private final int version;
  private final byte[] bytes;
  private final Object live;

  Prepared(TransactionId id, int version, byte[] bytes, Object live) {
    this.id = id;
    this.version = version;
    this.bytes = bytes.clone();
    this.live = live;
  }

  /** Under which it was begun. */
  public TransactionId id() {
    return id;
  }

  /** Of the handle's serializer. */
  public int version() {
    return version;
  }

  /** A copy of the serialized handle. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The handle itself, which only an instance that goes on working has. */
  public Object live() {
    return live;
  }
}
