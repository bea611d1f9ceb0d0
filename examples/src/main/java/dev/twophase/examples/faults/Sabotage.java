package dev.twophase.examples.faults;

import dev.twophase.TransactionalConnector;

/** Ways to break a correct sink, to see that the demo notices. */
public enum Sabotage {
  NONE("none"),
  EARLY_COMMIT("early-commit"),
  DROP_COMMIT("drop-commit");

  private final String option;

  Sabotage(String option) {
    this.option = option;
  }

  /** The connector, broken in this way. */
  public <IN, T, H> TransactionalConnector<IN, T, H> apply(
      TransactionalConnector<IN, T, H> connector) {
    return switch (this) {
      case NONE -> connector;
      case EARLY_COMMIT -> new EarlyCommit<>(connector);
      case DROP_COMMIT -> new DropCommit<>(connector);
    };
  }

  /** As written on the command line. */
  @Override
  public String toString() {
    return option;
  }
}
