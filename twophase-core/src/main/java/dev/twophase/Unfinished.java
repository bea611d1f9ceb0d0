package dev.twophase;

import java.util.Objects;

/**
 * An open or prepared transaction found in the resource, and what it takes to abort exactly that
 * one (A1).
 *
 * @param id who began it
 * @param token whatever exactness needs besides the id: a producer id and epoch, a file's path, an
 *     xid; it travels in checkpoints, so no secrets (S2); may be empty
 */
public record Unfinished(TransactionId id, String token) {
  public Unfinished {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(token, "token");
  }

  /** An unfinished transaction that its id alone identifies. */
  public static Unfinished of(TransactionId id) {
    return new Unfinished(id, "");
  }
}
