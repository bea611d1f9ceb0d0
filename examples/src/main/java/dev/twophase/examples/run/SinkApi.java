package dev.twophase.examples.run;

/** Flink's two sink APIs. */
public enum SinkApi {
  V2("v2"),
  FUNCTION("function");

  private final String option;

  SinkApi(String option) {
    this.option = option;
  }

  /** As written on the command line. */
  @Override
  public String toString() {
    return option;
  }
}
