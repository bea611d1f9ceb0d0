package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkUnderTest;
import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/** What was checked, and what was not because the sink's author does not declare it. */
final class Capabilities {

  private final SinkUnderTest<?> sink;
  private final SinkClaims claims;

  Capabilities(SinkUnderTest<?> sink) {
    this.sink = sink;
    this.claims = sink.claims();
  }

  /**
   * @param points names of all points at which something could be struck
   * @param attemptsRead whether records that were read told which attempt wrote them
   */
  DynamicNode node(Collection<String> points, boolean attemptsRead) {
    return DynamicContainer.dynamicContainer(
        "capabilities",
        List.of(
            capability(
                "duplicates and early records are checked",
                claims.guarantee() == DeliveryGuarantee.EXACTLY_ONCE,
                "the sink claims " + claims.guarantee() + " only"),
            capability(
                "leaks are checked",
                overrides(sink, "unfinished")
                    && (claims.transactionTimeout().isEmpty()
                        || sink.externalEvents().contains(ExternalEvent.EXPIRE)),
                overrides(sink, "unfinished")
                    ? "the sink declares that what lingers ends by itself, transactionTimeout, and"
                        + " the kit cannot let it: externalEvents() does not name EXPIRE"
                    : "unfinished(namespace) is not overridden, so leaks go unchecked"),
            capability(
                "growth over 1, 2, 4 and 8 crashes is checked",
                countsLeftBehind(sink),
                "leftBehind(namespace) is not overridden, so growth goes unchecked"),
            capability(
                "order within a key is checked",
                claims.order() == OrderScope.KEY,
                "the sink claims no order: SinkClaims.withOrder(OrderScope.KEY)"),
            capability(
                "going back before something published is checked (R6)",
                claims.rewind().isPresent(),
                "the sink declares no policy for that: SinkClaims.withRewind"),
            capability(
                "attempts freeze inside calls and go on behind their successors (R4, R5)",
                sink.freezesAttempts(),
                "explorations may not do so: freezesAttempts() is false"),
            capability(
                "what belongs to a neighbour of a name that begins alike survives (R2, W6)",
                sink.toleratesNeighbours() && claims.guarantee() == DeliveryGuarantee.EXACTLY_ONCE,
                "explorations may not let one move in: toleratesNeighbours() is false"),
            capability(
                "the external system is down for a step (C7, C8)",
                sink.externalEvents().contains(ExternalEvent.DOWN),
                "explorations may not take it down: externalEvents() does not name DOWN"),
            capability(
                "the external system forgets what is not committed (C6, C9)",
                sink.externalEvents().contains(ExternalEvent.EXPIRE),
                "explorations may not let it: externalEvents() does not name EXPIRE"),
            capability(
                "what becomes visible at once is checked (V1)",
                claims.unit() != AtomicUnit.NONE,
                "the sink claims nothing of that kind: SinkClaims.withUnit"),
            capability(
                "copies of abandoned attempts are told apart (R5)",
                attemptsRead,
                "no record that was read had its attempt, so they are judged as duplicates only:"
                    + " let input(...) and readVisible(...) keep TestRecord.attempt()"),
            capability(
                "replies are lost whatever they say, and requests on their way (N, U)",
                !sink.additionalKinds().isEmpty(),
                "explorations may not do so: additionalKinds() names neither"),
            capability(
                "calls of the sink's client are struck",
                points.stream().anyMatch(point -> point.indexOf('.') >= 0),
                "none passed a decorator, so faults came between Flink's calls of the sink only:"
                    + " wrap the client with setup.faults()")));
  }

  private static DynamicNode capability(String name, boolean declared, String reason) {
    return DynamicTest.dynamicTest(name, () -> Assumptions.assumeTrue(declared, reason));
  }

  /** Whether the sink's author counts what is left behind. */
  static boolean countsLeftBehind(SinkUnderTest<?> sink) {
    return overrides(sink, "leftBehind");
  }

  private static boolean overrides(SinkUnderTest<?> sink, String method) {
    try {
      return sink.getClass().getMethod(method, String.class).getDeclaringClass()
          != SinkUnderTest.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }
}
