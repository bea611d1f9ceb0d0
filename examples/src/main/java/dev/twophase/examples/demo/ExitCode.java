package dev.twophase.examples.demo;

/** How the demo ends. */
final class ExitCode {

  static final int PROVEN = 0;
  static final int REFUTED = 1;
  static final int PROVES_NOTHING = 2;
  static final int BROKEN = 3;
  static final int BAD_ARGUMENTS = 64;

  private ExitCode() {}
}
