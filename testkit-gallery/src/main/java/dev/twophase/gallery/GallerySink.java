package dev.twophase.gallery;

import dev.twophase.gallery.store.Store;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A sink over the store, as it is presented to the kit.
 *
 * @param name what it is, in a few words
 * @param factory makes it
 * @param claims what it promises
 * @param reader sees what is visible
 * @param toleratesNeighbours whether it knows its transactions by its name
 */
public record GallerySink(
    String name,
    Function<SinkSetup, Object> factory,
    SinkClaims claims,
    Function<Store, List<TestRecord>> reader,
    boolean toleratesNeighbours)
    implements SinkUnderTest<TestRecord> {

  GallerySink(String name, Function<SinkSetup, Object> factory, SinkClaims claims) {
    this(name, factory, claims, Store::visible, false);
  }

  /** The same in a store that it shares with sinks of other names. */
  GallerySink amongNeighbours() {
    return new GallerySink(name, factory, claims, reader, true);
  }

  @Override
  public Object sink(SinkSetup setup) {
    return factory.apply(setup);
  }

  @Override
  public boolean freezesAttempts() {
    return true;
  }

  @Override
  public int concurrentRuns() {
    return Integer.MAX_VALUE;
  }

  @Override
  public TestRecord input(TestRecord record) {
    return record;
  }

  @Override
  public List<TestRecord> readVisible(String namespace) {
    return reader.apply(Store.of(namespace));
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) {
    return Optional.of(Store.of(namespace).listUnfinished());
  }

  @Override
  public void cleanUp(String namespace) {
    Store.drop(namespace);
  }

  @Override
  public String toString() {
    return name;
  }
}
