package dev.twophase.examples.demo;

import java.util.Locale;

/** Where the jobs write. */
enum Target {
  BOTH,
  FILES,
  KAFKA;

  /** As written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
