package dev.twophase.testkit.internal.operator;

import org.apache.flink.api.connector.sink2.Sink;

/** Gives tests of other packages a sink to translate. */
public final class ShelfSinks {

  private ShelfSinks() {}

  public static Sink<String> on(String shelf) {
    return new ShelfSink(shelf);
  }
}
