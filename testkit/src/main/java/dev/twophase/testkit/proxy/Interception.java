package dev.twophase.testkit.proxy;

import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A fault that waits for its request. It fires once. Thread-safe. */
public final class Interception {

  private final Predicate<WireRequest> which;
  private final RequestFault fault;
  private final Predicate<WireReply.Outcome> losable;
  private final Runnable whenFired;
  private final CountDownLatch fired = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private boolean claimed;
  private volatile @Nullable WireRequest request;
  private volatile WireReply.@Nullable Outcome answer;

  Interception(Predicate<WireRequest> which, RequestFault fault) {
    this(which, fault, outcome -> outcome != WireReply.Outcome.FAILURE, () -> {});
  }

  /**
   * @param losable which replies may be lost; others are passed on
   * @param whenFired runs when it has fired, and before anybody can know
   */
  Interception(
      Predicate<WireRequest> which,
      RequestFault fault,
      Predicate<WireReply.Outcome> losable,
      Runnable whenFired) {
    this.which = which;
    this.fault = fault;
    this.losable = losable;
    this.whenFired = whenFired;
  }

  /** The request it has hit: the evidence that it fired. Empty until then. */
  public Optional<WireRequest> evidence() {
    return fired.getCount() == 0 ? Optional.ofNullable(request) : Optional.empty();
  }

  /**
   * What the server had answered when the reply was lost, swallowed or held: SUCCESS proves that
   * the request took effect. Empty before, and for faults of the request itself.
   */
  public Optional<WireReply.Outcome> answer() {
    return Optional.ofNullable(answer);
  }

  /**
   * Waits until it has fired.
   *
   * @return what it has hit
   * @throws IllegalStateException if it has not fired in time
   */
  public WireRequest awaitFired(Duration atMost) throws InterruptedException {
    if (!fired.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException(fault + " has not fired within " + atMost);
    }
    return evidence().orElseThrow();
  }

  /** Lets go of what is held; does nothing else. May be called before it has fired. */
  public void release() {
    released.countDown();
  }

  RequestFault fault() {
    return fault;
  }

  boolean mayLose(WireReply.Outcome outcome) {
    return losable.test(outcome);
  }

  /** At most one connection gets true. */
  synchronized boolean claim(WireRequest candidate) {
    if (claimed || !which.test(candidate)) {
      return false;
    }
    claimed = true;
    request = candidate;
    return true;
  }

  /** The server refused what it was to lose the reply of: the next such request may be hit. */
  synchronized void unclaim() {
    claimed = false;
    request = null;
  }

  void fire(WireReply.Outcome outcome) {
    answer = outcome;
    fire();
  }

  void fire() {
    whenFired.run();
    fired.countDown();
  }

  void awaitRelease() throws InterruptedException {
    released.await();
  }
}
