package dev.twophase.testkit.internal.explore;

import org.jspecify.annotations.Nullable;

/**
 * A point in a script at which the first fault may happen.
 *
 * @param name where and what, for people
 */
public record FaultPoint(String name, Choices.@Nullable Point point) {

  /** The run in which nothing goes wrong. */
  static final FaultPoint NONE = new FaultPoint("no fault", null);
}
