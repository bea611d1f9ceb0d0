package dev.twophase.policy;

/** What to do when the job was taken back before something it had published (R6). */
public enum RewindPolicy {
  /** Fails the job, naming a transaction that proves it. The default. */
  FAIL,
  /**
   * Goes on and publishes again what is replayed: duplicates, on purpose, logged as a warning.
   * Where going on would lose records, the job fails all the same.
   */
  ACCEPT
}
