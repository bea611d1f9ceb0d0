package dev.twophase.policy;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What to do when a prepared transaction is proven lost (C9). There is no silent third way. */
public final class LossPolicy implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final LossPolicy FAIL = new LossPolicy(null);

  private final @Nullable Quarantine quarantine;

  private LossPolicy(@Nullable Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  /** Fails the job, naming what was lost. The default. */
  public static LossPolicy fail() {
    return FAIL;
  }

  /** Writes a durable record, counts it, and goes on. */
  public static LossPolicy quarantine(Quarantine quarantine) {
    return new LossPolicy(Objects.requireNonNull(quarantine, "quarantine"));
  }

  /** Where losses are recorded; empty if they fail the job. */
  public Optional<Quarantine> quarantine() {
    return Optional.ofNullable(quarantine);
  }
}
