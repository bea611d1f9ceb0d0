package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import java.util.Objects;

/**
 * A staged file that nobody will publish any more.
 *
 * @param path relative to the sink's directory, with {@code /} between components
 * @param length in bytes
 * @param transaction that it belongs to
 * @param reason why nobody will
 */
public record StagedFile(String path, long length, TransactionId transaction, Reason reason) {

  /** Why a staged file is an orphan. */
  public enum Reason {
    /** The manifest of its transaction is visible: everything in it is published already. */
    PUBLISHED,
    /** Its transaction is in no state that was named, so no job can commit it. */
    IN_NO_STATE
  }

  public StagedFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(transaction, "transaction");
    Objects.requireNonNull(reason, "reason");
  }
}
