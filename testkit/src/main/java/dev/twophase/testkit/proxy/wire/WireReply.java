package dev.twophase.testkit.proxy.wire;

/**
 * A message of the server.
 *
 * @param exchange of the requests it answers; {@link #UNASKED} if none
 * @param last whether the exchange ends with it
 * @param outcome what it says about the exchange, as far as it says something
 */
public record WireReply(long exchange, boolean last, Outcome outcome) {

  /** The exchange of messages that a server sends by itself. */
  public static final long UNASKED = Long.MIN_VALUE;

  /** What a reply says. */
  public enum Outcome {
    /** The request took effect. */
    SUCCESS,
    /** The request was refused. */
    FAILURE,
    /** The framer does not know. */
    UNKNOWN
  }
}
