package dev.twophase.benchmarks.run;

import java.nio.file.Path;

/**
 * One side of a comparison, in a JVM of its own, so that neither side's profile, garbage or threads
 * reach the other. Implementations are public and have a public constructor without arguments.
 */
public interface Contender extends AutoCloseable {

  /**
   * Called once, before the first round.
   *
   * @param variant which of the implementation's sides to be
   * @param directory exists, and belongs to this contender alone
   * @param scale as in {@link RunSettings#scale()}
   */
  void open(String variant, Path directory, double scale) throws Exception;

  /** Measures once. The first round warms up and is thrown away. */
  Measurement round() throws Exception;

  @Override
  void close() throws Exception;
}
