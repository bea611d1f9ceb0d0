package dev.twophase.gallery.function;

import dev.twophase.testkit.TestRecord;
import java.util.ArrayList;
import java.util.List;

/** A transaction of {@link TwoPhaseFunction}; only the buffer is not part of the state. */
final class Txn {
  final String id;
  final List<TestRecord> buffer = new ArrayList<>();
  int rows;
  long token;

  Txn(String id) {
    this.id = id;
  }

  Txn copy() {
    Txn copy = new Txn(id);
    copy.rows = rows;
    copy.token = token;
    return copy;
  }
}
