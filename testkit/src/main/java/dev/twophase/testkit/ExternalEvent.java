package dev.twophase.testkit;

/** What happens to the external system as a whole. */
public enum ExternalEvent {
  /** It no longer answers. */
  DOWN,
  /** It answers again, and has forgotten nothing. */
  UP,
  /** It forgets whatever has been begun or prepared and is not committed. */
  EXPIRE
}
