package dev.twophase.benchmarks.report;

/** What a figure was meant to reach, and whether it did. */
public record Target(String what, double bound, boolean atLeast, double measured) {

  public static Target atLeast(String what, double bound, double measured) {
    return new Target(what, bound, true, measured);
  }

  public static Target atMost(String what, double bound, double measured) {
    return new Target(what, bound, false, measured);
  }

  public boolean met() {
    return atLeast ? measured >= bound : measured <= bound;
  }

  /** For example {@code target met: sink alone at least 4.00, measured 4.70}. */
  public String line() {
    return "target "
        + (met() ? "met: " : "MISSED: ")
        + what
        + (atLeast ? " at least " : " at most ")
        + Spread.number(bound)
        + ", measured "
        + Spread.number(measured);
  }
}
