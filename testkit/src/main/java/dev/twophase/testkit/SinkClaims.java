package dev.twophase.testkit;

import dev.twophase.policy.RewindPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * What a sink promises, and so what it is judged by. Immutable; each {@code with} method returns a
 * changed copy.
 *
 * @param guarantee default EXACTLY_ONCE; duplicates and early records are legal under any other,
 *     and losses under NONE
 * @param order default {@link OrderScope#NONE}
 * @param unit what becomes visible all at once; default {@link AtomicUnit#NONE}
 * @param visibilityDelay how long after its commit a record may stay invisible, in real time;
 *     default none
 * @param transactionTimeout after which time the external system itself ends what lingers; a leak
 *     is then only what is left when it has, see {@link SinkUnderTest#externalEvents}; empty (the
 *     default) if it never does
 * @param rewind what the sink does when it is taken back before something it published (R6); empty
 *     (the default) if it promises nothing, and schedules that do so prove nothing
 * @param blocking longest time that one call may block, in real time; default 30 s
 */
public record SinkClaims(
    DeliveryGuarantee guarantee,
    OrderScope order,
    AtomicUnit unit,
    Duration visibilityDelay,
    Optional<Duration> transactionTimeout,
    Optional<RewindPolicy> rewind,
    Duration blocking) {

  private static final SinkClaims EXACTLY_ONCE =
      new SinkClaims(
          DeliveryGuarantee.EXACTLY_ONCE,
          OrderScope.NONE,
          AtomicUnit.NONE,
          Duration.ZERO,
          Optional.empty(),
          Optional.empty(),
          Duration.ofSeconds(30));

  /**
   * @throws IllegalArgumentException if the delay is negative, or the time to block not positive
   */
  public SinkClaims {
    Objects.requireNonNull(guarantee, "guarantee");
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(transactionTimeout, "transactionTimeout");
    Objects.requireNonNull(rewind, "rewind");
    if (visibilityDelay.isNegative()) {
      throw new IllegalArgumentException(
          "visibilityDelay must not be negative: "
              + visibilityDelay
              + ", see SinkClaims.withVisibilityDelay");
    }
    if (blocking.isNegative() || blocking.isZero()) {
      throw new IllegalArgumentException(
          "blocking must be positive: " + blocking + ", see SinkClaims.withBlocking");
    }
  }

  /** The defaults named above. */
  public static SinkClaims exactlyOnce() {
    return EXACTLY_ONCE;
  }

  /** Judged by this guarantee: duplicates and early records are legal under any other. */
  public SinkClaims withGuarantee(DeliveryGuarantee value) {
    return new SinkClaims(
        value, order, unit, visibilityDelay, transactionTimeout, rewind, blocking);
  }

  /** Records keep their order within this scope. */
  public SinkClaims withOrder(OrderScope value) {
    return new SinkClaims(
        guarantee, value, unit, visibilityDelay, transactionTimeout, rewind, blocking);
  }

  /** Records of such a unit become visible all at once. */
  public SinkClaims withUnit(AtomicUnit value) {
    return new SinkClaims(
        guarantee, order, value, visibilityDelay, transactionTimeout, rewind, blocking);
  }

  /**
   * A record may stay invisible for so long after its commit.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public SinkClaims withVisibilityDelay(Duration value) {
    return new SinkClaims(guarantee, order, unit, value, transactionTimeout, rewind, blocking);
  }

  /** The external system itself ends what lingers for so long. */
  public SinkClaims withTransactionTimeout(Duration value) {
    return new SinkClaims(
        guarantee, order, unit, visibilityDelay, Optional.of(value), rewind, blocking);
  }

  /** What it does when it is taken back before something it published (R6). */
  public SinkClaims withRewind(RewindPolicy value) {
    return new SinkClaims(
        guarantee, order, unit, visibilityDelay, transactionTimeout, Optional.of(value), blocking);
  }

  /**
   * One call may block for so long.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public SinkClaims withBlocking(Duration value) {
    return new SinkClaims(
        guarantee, order, unit, visibilityDelay, transactionTimeout, rewind, value);
  }
}
