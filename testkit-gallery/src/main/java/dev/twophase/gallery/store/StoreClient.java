package dev.twophase.gallery.store;

import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.List;

/** The store as sinks see it. Thread-safe. Every method is a point where faults can happen. */
public interface StoreClient {

  /** Opens a transaction, or opens it again, empty: like opening a file for writing. */
  void begin(String id) throws IOException;

  /**
   * Adds a record to a transaction that is not finished. Whether it has been prepared is not
   * checked, as in a staging table: not to write to it any more is for the sink to see to (W4).
   *
   * @throws IOException if there is no such transaction
   */
  void write(String id, TestRecord record) throws IOException;

  /**
   * Prepares a transaction. An empty one is forgotten, because there is nothing to commit.
   *
   * @return what {@link #commit} must be given besides the id
   * @throws IOException if there is no such transaction
   */
  long prepare(String id) throws IOException;

  /**
   * Makes a prepared transaction visible and marks it as committed, at once.
   *
   * @return false if it had been committed before, by the mark
   * @throws IOException if there is none of this id and token that is prepared or committed
   */
  boolean commit(String id, long token) throws IOException;

  /**
   * Makes visible what was written under an id, without a mark: like renaming a file.
   *
   * @return false if there is nothing under this id
   */
  boolean rename(String id) throws IOException;

  /**
   * Makes rows visible together with a key, at once, unless the key is there already.
   *
   * @return whether it did
   */
  boolean insert(String key, List<TestRecord> rows) throws IOException;

  /** Makes rows visible, whatever is there already. */
  void append(List<TestRecord> rows) throws IOException;

  /** Makes a row visible in place of the one of the same id. */
  void upsert(TestRecord row) throws IOException;

  /** Removes a transaction that is not committed; harmless if there is none. */
  void abort(String id) throws IOException;

  /** The ids of all that is open or prepared. */
  List<String> listUnfinished() throws IOException;

  /**
   * What was written under an id and is not visible yet.
   *
   * @throws IOException if there is no such transaction
   */
  List<TestRecord> readStaged(String id) throws IOException;

  /** The table that readers see. */
  Table readTable() throws IOException;

  /**
   * Puts another table in the place of the one that readers see.
   *
   * @return false if they see another one than expected
   */
  boolean swap(Table expected, Table next) throws IOException;
}
