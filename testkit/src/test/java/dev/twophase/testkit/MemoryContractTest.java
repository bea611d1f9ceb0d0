package dev.twophase.testkit;

import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.OnMemoryStore;

class MemoryContractTest extends ExactlyOnceSinkContract<TestRecord> implements OnMemoryStore {

  @Override
  public Object sink(SinkSetup setup) {
    return new MemoryConnector(setup.namespace());
  }
}
