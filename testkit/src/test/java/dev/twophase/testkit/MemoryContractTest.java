package dev.twophase.testkit;

import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import java.util.List;

class MemoryContractTest extends ExactlyOnceSinkContract<TestRecord> {

  @Override
  public Object sink(SinkSetup setup) {
    return new MemoryConnector(setup.namespace());
  }

  @Override
  public TestRecord input(TestRecord record) {
    return record;
  }

  @Override
  public List<TestRecord> readVisible(String namespace) {
    return MemoryStore.of(namespace).visible();
  }
}
