package dev.twophase.examples.store;

import dev.twophase.testkit.ExactlyOnceSinkContract;
import dev.twophase.testkit.MemoryDisk;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

// tag::contract[]
class LogStoreContractTest extends ExactlyOnceSinkContract<String> {
  @TempDir(factory = MemoryDisk.class)
  Path directory;

  @Override
  public Object sink(SinkSetup setup) {
    return new LogStoreConnector(directory.resolve(setup.namespace()).toString());
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws IOException {
    LogStore store = LogStore.open(directory.resolve(namespace));
    return store.records().stream().map(TestRecord::fromText).toList();
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws IOException {
    return Optional.of(LogStore.open(directory.resolve(namespace)).staged());
  }
}
// end::contract[]
