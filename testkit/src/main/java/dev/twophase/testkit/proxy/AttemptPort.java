package dev.twophase.testkit.proxy;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.gate.SinkInTheMaking;
import dev.twophase.testkit.internal.watch.Watch;
import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import dev.twophase.testkit.schedule.FaultKind;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What leads the requests of one attempt past its gate, so that schedules can strike at them. See
 * {@link dev.twophase.testkit.Faults#aroundPort}, which is for use by sinks. Thread-safe.
 */
public final class AttemptPort {

  private final CallGate gate;

  /** Which connections are the attempt's, by their first request; null for whatever connects. */
  private final @Nullable Predicate<WireRequest> owned;

  private AttemptPort(CallGate gate, @Nullable Predicate<WireRequest> owned) {
    this.gate = gate;
    this.owned = owned;
  }

  /**
   * A port of 127.0.0.1 that leads to another, for the attempt that makes the call; closed when
   * that is over.
   *
   * @return the other one itself outside any attempt
   * @throws IllegalStateException while a sink is made that no attempt has yet
   */
  public static int open(MessageFramer framer, int port) {
    CallGate gate = CallGate.current();
    if (SinkInTheMaking.isUnderWay()) {
      throw new IllegalStateException(
          "Faults.aroundPort was called in sink(...), where there is no attempt yet whose port it"
              + " could be, so that nothing would be struck: call it where the sink makes its"
              + " client, such as in createWriter, createCommitter or open");
    }
    if (gate == null) {
      return port;
    }
    TcpProxy proxy = TcpProxy.open(framer);
    proxy.belongsTo(new AttemptPort(gate, null));
    proxy.forwardTo(port);
    gate.whenSevered(proxy::close);
    if (gate.severed()) {
      proxy.close();
    }
    return proxy.port();
  }

  static void join(TcpProxy proxy, @Nullable Predicate<WireRequest> owned) {
    CallGate gate = CallGate.current();
    if (gate == null) {
      return;
    }
    AttemptPort port = new AttemptPort(gate, owned);
    proxy.belongsTo(port);
    gate.whenSevered(() -> proxy.leave(port));
  }

  /** Whether a connection's first request tells whose it is. */
  boolean tellsByRequest() {
    return owned != null;
  }

  /** Whether the connection that begins so is this attempt's. */
  boolean owns(WireRequest first) {
    return owned == null || owned.test(first);
  }

  /** What passes cannot be read. */
  void provesNothing(String why) {
    gate.provesNothing(why);
  }

  /** What the schedule has in mind for a request. */
  Optional<Interception> planned(WireRequest request) {
    if (request.point().isEmpty()) {
      return Optional.empty();
    }
    @Nullable FaultKind kind = gate.strike(request.point());
    if (kind == null) {
      return Optional.empty();
    }
    return switch (kind) {
      case KILL -> {
        Watch.interruptDead(gate);
        yield planned(RequestFault.NOT_SENT);
      }
      case ERROR -> planned(RequestFault.NOT_SENT);
      case NOT_APPLIED -> planned(RequestFault.STALLED);
      case APPLIED ->
          replyLost(
              outcome -> outcome == WireReply.Outcome.SUCCESS, () -> gate.applied(request.point()));
      case UNKNOWN -> replyLost(outcome -> true, () -> {});
      case DELAYED -> Optional.empty();
    };
  }

  private static Optional<Interception> planned(RequestFault fault) {
    return Optional.of(new Interception(any -> true, fault));
  }

  private static Optional<Interception> replyLost(
      Predicate<WireReply.Outcome> which, Runnable whenFired) {
    return Optional.of(new Interception(any -> true, RequestFault.REPLY_LOST, which, whenFired));
  }
}
