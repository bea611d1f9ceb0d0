package dev.twophase.testkit.store;

import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/** Presents a connector on the {@link MemoryStore} to the kit, with everything declared. */
public record MemorySink(Function<String, ? extends MemoryConnector> connector, SinkClaims claims)
    implements OnMemoryStore {

  public MemorySink(Function<String, ? extends MemoryConnector> connector) {
    this(connector, SinkClaims.exactlyOnce().withOrder(OrderScope.KEY));
  }

  @Override
  public Object sink(SinkSetup setup) {
    return connector.apply(setup.namespace());
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
  public boolean external(String namespace, ExternalEvent event) {
    if (event != ExternalEvent.EXPIRE) {
      return false;
    }
    MemoryStore.of(namespace).unfinished().clear();
    return true;
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) {
    return Optional.of(MemoryStore.of(namespace).unfinished());
  }
}
