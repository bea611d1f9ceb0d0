package dev.twophase.testkit.proxy;

/** What happens to a chosen request. The names in brackets are those of schedules. */
public enum RequestFault {
  /** The server never gets it, and the connection is cut (E). */
  NOT_SENT,
  /** The server never gets it nor what follows; the connection stays open and says nothing (N). */
  STALLED,
  /** It waits in the proxy, and what follows with it, until it is released (D). */
  HELD,
  /**
   * The server answers it with success; the reply is lost and the connection cut (A). A refusal is
   * passed on, and the fault counts as not fired.
   */
  REPLY_LOST,
  /** As {@link #REPLY_LOST}, but the connection stays open and says nothing any more. */
  REPLY_SWALLOWED,
  /** As {@link #REPLY_LOST}, but the reply comes, late: when it is released. */
  REPLY_HELD
}
