package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Since which checkpoint a sink may have committed records (R6), without a look at its files. A
 * mark is an empty directory called by a transaction's id. It is durable before the first file of
 * its transaction can be seen, and goes only when a higher one is: so the highest mark tells of the
 * highest transaction, and about as many are left as there are subtasks. Used by one thread.
 */
public final class SinceMarks {

  private static final Comparator<TransactionId> ORDER =
      Comparator.comparingLong(TransactionId::since);

  private final Storage storage;
  private OptionalLong highest = OptionalLong.empty();
  private Optional<TransactionId> own = Optional.empty();
  private Optional<TransactionId> obsolete = Optional.empty();

  public SinceMarks(Storage storage) {
    this.storage = storage;
  }

  /** The highest mark of a sink; empty if nothing was committed since there are marks. */
  public static Optional<TransactionId> highest(Storage storage, String sinkName)
      throws IOException {
    return all(storage, sinkName).stream().max(ORDER);
  }

  /** Removes the marks of former attempts, but for the highest. */
  public static void tidy(Storage storage, String sinkName) throws IOException {
    List<TransactionId> marks = all(storage, sinkName);
    if (marks.size() > 1) {
      storage.syncDirectory(FileNames.sinceDirectory(sinkName));
      TransactionId last = marks.stream().max(ORDER).orElseThrow();
      for (TransactionId mark : marks) {
        if (!mark.equals(last)) {
          storage.delete(path(mark));
        }
      }
    }
  }

  /** Removes the marks of transactions that began at or after a checkpoint. */
  public static void forget(Storage storage, String sinkName, long checkpointId)
      throws IOException {
    for (TransactionId mark : all(storage, sinkName)) {
      if (mark.since() >= checkpointId) {
        storage.delete(path(mark));
      }
    }
  }

  /**
   * Makes what an abandoned line has committed no proof any more, once it was accepted that its
   * records come again: this mark takes the place of all that a restored checkpoint does not cover.
   *
   * @param accepted since before that checkpoint, where there is a before
   */
  public static void accept(Storage storage, TransactionId accepted, long checkpointId)
      throws IOException {
    String directory = FileNames.sinceDirectory(accepted.sinkName());
    try {
      storage.makeDirectories(path(accepted));
      storage.syncDirectory(directory);
      for (TransactionId mark : all(storage, accepted.sinkName())) {
        if (mark.since() >= checkpointId && !mark.equals(accepted)) {
          storage.delete(path(mark));
        }
      }
    } catch (IOException error) {
      throw StorageErrors.explain(
          "Cannot replace the marks in " + storage.fullName(directory), error);
    }
  }

  /** Leaves a durable mark for these transactions, which are about to be published. */
  void leave(Collection<TransactionId> transactions) throws IOException {
    Optional<TransactionId> last = transactions.stream().max(ORDER);
    if (last.isEmpty() || last.get().since() <= highest.orElse(-1)) {
      return;
    }
    TransactionId mark = last.get();
    String directory = FileNames.sinceDirectory(mark.sinkName());
    try {
      storage.makeDirectories(path(mark));
      storage.syncDirectory(directory);
      if (highest.isEmpty()) {
        storage.syncDirectory(FileNames.HIDDEN);
      }
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot leave a mark in " + storage.fullName(directory), error);
    }
    highest = OptionalLong.of(mark.since());
    obsolete = own;
    own = last;
  }

  /** Removes the mark before the last. */
  void tidy() throws IOException {
    if (obsolete.isPresent()) {
      String path = path(obsolete.get());
      try {
        storage.delete(path);
      } catch (IOException error) {
        throw StorageErrors.explain("Cannot remove " + storage.fullName(path), error);
      }
      obsolete = Optional.empty();
    }
  }

  private static List<TransactionId> all(Storage storage, String sinkName) throws IOException {
    String directory = FileNames.sinceDirectory(sinkName);
    try {
      return storage.names(directory).stream()
          .map(TransactionId::parse)
          .flatMap(Optional::stream)
          .filter(id -> id.sinkName().equals(sinkName))
          .toList();
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot list " + storage.fullName(directory), error);
    }
  }

  private static String path(TransactionId mark) {
    return FileNames.sinceDirectory(mark.sinkName()) + "/" + mark;
  }
}
