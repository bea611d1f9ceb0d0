package dev.twophase;

import java.util.Objects;

/**
 * What is <em>known</em> of a prepared transaction after an attempt to commit it. That nothing is
 * known is not an outcome but an exception (C7).
 */
public sealed interface CommitOutcome {

  /** This call made the transaction visible. */
  static CommitOutcome committed() {
    return Committed.INSTANCE;
  }

  /** An earlier or concurrent call had made it visible; proven, not assumed (C6). */
  static CommitOutcome alreadyCommitted() {
    return AlreadyCommitted.INSTANCE;
  }

  /**
   * The records are proven to be gone or never to become visible. What follows is the user's choice
   * (C9).
   *
   * @param evidence what proves it, for the error message and the quarantine record; no secrets
   *     (S2)
   */
  static CommitOutcome lost(String evidence) {
    return new Lost(evidence);
  }

  /**
   * A later attempt has taken over the transaction: this process is a zombie and must stop. Nothing
   * is known to be lost.
   *
   * @param evidence what proves it; no secrets (S2)
   */
  static CommitOutcome superseded(String evidence) {
    return new Superseded(evidence);
  }

  /** See {@link CommitOutcome#committed()}. */
  enum Committed implements CommitOutcome {
    INSTANCE
  }

  /** See {@link CommitOutcome#alreadyCommitted()}. */
  enum AlreadyCommitted implements CommitOutcome {
    INSTANCE
  }

  /** See {@link CommitOutcome#lost(String)}. */
  record Lost(String evidence) implements CommitOutcome {
    public Lost {
      Objects.requireNonNull(evidence, "evidence");
    }
  }

  /** See {@link CommitOutcome#superseded(String)}. */
  record Superseded(String evidence) implements CommitOutcome {
    public Superseded {
      Objects.requireNonNull(evidence, "evidence");
    }
  }
}
