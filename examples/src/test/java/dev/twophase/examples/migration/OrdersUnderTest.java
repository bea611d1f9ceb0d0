package dev.twophase.examples.migration;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

// tag::class[]
/** Presents a sink on {@link Staging} to the kit; each run gets a directory of its own. */
record OrdersUnderTest(Path root, BiFunction<SinkSetup, Staging, Object> maker)
    implements SinkUnderTest<String> {

  private Staging staging(String namespace) throws IOException {
    Path directory = Files.createDirectories(root.resolve(namespace));
    return new LocalStaging(directory.toString());
  }

  @Override
  public Object sink(SinkSetup setup) throws IOException {
    Staging staging = staging(setup.namespace());
    return maker.apply(setup, setup.faults().around(Staging.class, staging));
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws IOException {
    List<TestRecord> records = new ArrayList<>();
    for (String file : staging(namespace).visible()) {
      for (String line : Files.readAllLines(root.resolve(namespace).resolve(file + ".txt"))) {
        records.add(TestRecord.fromText(line));
      }
    }
    return records;
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws IOException {
    return Optional.of(staging(namespace).staged());
  }
}
// end::class[]
