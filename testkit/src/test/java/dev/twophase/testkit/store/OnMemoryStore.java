package dev.twophase.testkit.store;

import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import java.util.List;

/** A sink whose records are those of the kit, in the {@link MemoryStore} of the namespace. */
public interface OnMemoryStore extends SinkUnderTest<TestRecord> {

  @Override
  default TestRecord input(TestRecord record) {
    return record;
  }

  @Override
  default List<TestRecord> readVisible(String namespace) {
    return MemoryStore.of(namespace).visible();
  }

  @Override
  default void cleanUp(String namespace) {
    MemoryStore.drop(namespace);
  }
}
