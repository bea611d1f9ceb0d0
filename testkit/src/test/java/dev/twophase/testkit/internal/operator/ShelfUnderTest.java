package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import java.util.List;

/** Presents the small reference sink to the kit. */
public class ShelfUnderTest implements SinkUnderTest<String> {

  @Override
  public Object sink(SinkSetup setup) {
    return new ShelfSink(setup.namespace());
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public List<TestRecord> readVisible(String namespace) {
    return Shelf.of(namespace).visible().stream().map(TestRecord::fromText).toList();
  }
}
