package dev.twophase.testkit;

import dev.twophase.testkit.internal.faults.FaultyProxy;
import java.io.Serializable;

/**
 * Lets the kit inject faults into what a sink uses. Serializable, so that a sink may carry it to
 * where its client is made; outside a schedule everything it made passes all calls on.
 */
public final class Faults implements Serializable {

  private static final long serialVersionUID = 1L;

  Faults() {}

  /**
   * Decorates a client: each method becomes a point at which a schedule can inject an error, lose a
   * reply, or kill the attempt. Make it in the sink's {@code open}, or wherever its client is made
   * on the cluster, so that each attempt has its own; calls from the client's own threads are then
   * faulted too.
   *
   * <p>Injected errors are of the first exception type that the method declares and that has a
   * public constructor for a message, else {@link java.io.UncheckedIOException}.
   *
   * @param type the interface through which the sink uses it; names the calls in schedules
   * @param client the real one
   * @throws IllegalArgumentException if {@code type} is no interface
   */
  public <T> T around(Class<T> type, T client) {
    return FaultyProxy.around(type, client);
  }
}
