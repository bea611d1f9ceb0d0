package dev.twophase.benchmarks.run;

import dev.twophase.benchmarks.report.Ratio;
import java.io.PrintStream;

/** One comparison of ours with what people use today. */
public interface Comparison {

  /** What it is called on the command line. */
  String name();

  /** One line for the list. */
  String summary();

  /**
   * Runs it, printing progress and tables.
   *
   * @return the ratio that the last line states
   * @throws Exception if it could not be measured
   */
  Ratio run(RunSettings settings, PrintStream out) throws Exception;
}
