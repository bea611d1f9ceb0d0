package dev.twophase.file.internal.storage;

import java.util.UUID;

/** The part of a name by which it is nobody else's. */
public final class UniquePart {

  /** A regular expression, without groups, for what {@link #next} returns. */
  public static final String REGEX = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private UniquePart() {}

  /** Another one each time. */
  public static String next() {
    return UUID.randomUUID().toString();
  }
}
