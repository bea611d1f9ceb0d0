package dev.twophase.testkit.internal.gate;

import dev.twophase.testkit.schedule.FaultKind;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every decorated call of one attempt passes. The job model binds the gate to its thread
 * around each thing it asks of the attempt, including its start; a decorator picks up {@link
 * #current()} when it is created or deserialized there, and keeps it, so that threads of the sink
 * pass the same gate.
 *
 * <p>Thread-safe as far as {@link CallDecider} is.
 */
public final class CallGate {

  private static final Logger LOG = LoggerFactory.getLogger(CallGate.class);

  /** A call without a result. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  /** One per thread, because setting a field is cheaper than setting a thread-local value. */
  private static final class Binding extends OwnLine {
    final Thread thread = Thread.currentThread();
    @Nullable CallGate gate;
    String arguments = "";
    boolean makesSink;
  }

  private static final ThreadLocal<Binding> CURRENT = ThreadLocal.withInitial(Binding::new);

  private final CallDecider decider;
  private final boolean takesDown;
  private final int subtask;
  private final int attempt;
  private volatile boolean severed;

  /** The last thread that was bound to it, so that it need not look itself up for each call. */
  private @Nullable Thread boundTo;

  /** Of the last thread that was bound to it, for the same reason. */
  private @Nullable Binding lastBinding;

  /** Null as long as there is nothing to release. */
  private volatile @Nullable Queue<Action> atEnd;

  private volatile @Nullable Freezer freezer;

  /** The call whose fault has fired already, though it is only under way. */
  private volatile @Nullable String ofUnknownOutcome;

  public CallGate(CallDecider decider, int subtask, int attempt) {
    this.decider = decider;
    this.takesDown = decider.takesDown();
    this.subtask = subtask;
    this.attempt = attempt;
  }

  /** The gate of the attempt that this thread is working for; null outside any attempt. */
  public static @Nullable CallGate current() {
    return CURRENT.get().gate;
  }

  /** Binds a gate, or none, to this thread. */
  public static void bind(@Nullable CallGate gate) {
    bind(gate, gate == null ? CURRENT.get() : gate.bindingHere());
  }

  /** Binds none to this thread, which is bound to this one. */
  public void unbind() {
    bind(null, bindingHere());
  }

  private Binding bindingHere() {
    Binding last = lastBinding;
    return last != null && last.thread == Thread.currentThread() ? last : CURRENT.get();
  }

  private static void bind(@Nullable CallGate gate, Binding binding) {
    CallGate before = binding.gate;
    binding.gate = gate;
    if (before != null) {
      before.boundTo = null;
    }
    if (gate != null) {
      gate.lastBinding = binding;
      gate.boundTo = Thread.currentThread();
    }
  }

  /** Whether this thread is working for the attempt. */
  public boolean isBoundHere() {
    return boundTo == Thread.currentThread() || current() == this;
  }

  public int subtask() {
    return subtask;
  }

  public int attempt() {
    return attempt;
  }

  /** Who holds calls back; null while none can be. */
  public void freezeBy(@Nullable Freezer by) {
    freezer = by;
  }

  /** From now on no call of this attempt gets through, whatever thread makes it. */
  public void sever() {
    severed = true;
    Queue<Action> actions = atEnd;
    if (actions == null) {
      return;
    }
    for (Action action = actions.poll(); action != null; action = actions.poll()) {
      try {
        action.run();
      } catch (Exception alreadyBroken) {
        LOG.debug("Something of a dead attempt could not be released", alreadyBroken);
      }
    }
  }

  /** Runs this once the attempt is dead: what its machine does for it, such as closing sockets. */
  public synchronized void whenSevered(Action action) {
    Queue<Action> actions = atEnd;
    if (actions == null) {
      actions = new ConcurrentLinkedQueue<>();
      atEnd = actions;
    }
    actions.add(action);
  }

  /** Whether {@link #sever} would release anything. */
  public boolean holdsAnything() {
    Queue<Action> actions = atEnd;
    return actions != null && !actions.isEmpty();
  }

  public boolean severed() {
    return severed;
  }

  /**
   * Makes a call, unless a fault prevents it.
   *
   * @param callClass what is called, as in a fault's address: a constant such as {@code commit}
   * @throws InjectedFaultException if the call is to fail, before or after its effect
   * @throws AttemptKilledError if the attempt is dead, or dies here
   * @throws Exception what the call throws
   */
  public <R extends @Nullable Object> R call(String callClass, Callable<R> call) throws Exception {
    boolean withhold = enter(callClass);
    R result = call.call();
    if (withhold) {
      throw withheld(callClass);
    }
    return result;
  }

  /** The same for a call without a result. */
  public void run(String callClass, Action action) throws Exception {
    boolean withhold = enter(callClass);
    action.run();
    if (withhold) {
      throw withheld(callClass);
    }
  }

  /**
   * The first half of {@link #call}, for decorators that must not allocate.
   *
   * @return whether the caller must throw {@link #withheld} once the call has succeeded
   */
  public boolean enter(String callClass) throws InjectedFaultException {
    if (severed) {
      throw dead();
    }
    FaultKind kind = decider.arriving(this, callClass);
    return kind != null && begin(callClass, kind);
  }

  /** The same, with what the call is made, which is told to whom it may concern. */
  public boolean enter(String callClass, @Nullable Object @Nullable [] arguments)
      throws InjectedFaultException {
    if (takesDown) {
      CURRENT.get().arguments = Arguments.of(arguments);
    }
    return enter(callClass);
  }

  /** The same for a call with one argument. */
  public boolean enterWith(String callClass, @Nullable Object argument)
      throws InjectedFaultException {
    return takesDown ? enter(callClass, new Object[] {argument}) : enter(callClass);
  }

  /** Tells whether this thread makes a sink, outside any attempt; returns what it did before. */
  static boolean makesSink(boolean makes) {
    Binding binding = CURRENT.get();
    boolean before = binding.makesSink;
    binding.makesSink = makes;
    return before;
  }

  static boolean makesSink() {
    Binding binding = CURRENT.get();
    return binding.makesSink && binding.gate == null;
  }

  /** With what the call is made that arrives in this thread; empty if that was not told. */
  public static String argumentsOfArriving() {
    Binding binding = CURRENT.get();
    String told = binding.arguments;
    binding.arguments = "";
    return told;
  }

  /** The second half: the call has taken effect, and this is what its caller gets to see. */
  public InjectedFaultException withheld(String callClass) {
    if (callClass.equals(ofUnknownOutcome)) {
      ofUnknownOutcome = null;
    } else {
      decider.fired(this, callClass, FaultKind.APPLIED);
    }
    return replyLost(callClass);
  }

  /** Does not tell whether the call arrived. */
  private InjectedFaultException replyLost(String callClass) {
    return new InjectedFaultException(
        "Injected: the reply to '" + callClass + "' is lost, and it may have taken effect",
        decider.keepsStacks());
  }

  private boolean begin(String callClass, FaultKind kind) throws InjectedFaultException {
    switch (kind) {
      case APPLIED, UNKNOWN -> {
        if (kind == FaultKind.UNKNOWN) {
          // Whether it succeeds is not looked at: the caller gets an error either way.
          decider.fired(this, callClass, kind);
          ofUnknownOutcome = callClass;
        }
        return true;
      }
      case KILL -> {
        sever();
        decider.fired(this, callClass, kind);
        throw dead();
      }
      case ERROR -> {
        decider.fired(this, callClass, kind);
        throw new InjectedFaultException(
            "Injected: '" + callClass + "' failed", decider.keepsStacks());
      }
      case NOT_APPLIED -> {
        decider.fired(this, callClass, kind);
        throw replyLost(callClass);
      }
      case DELAYED -> {
        Freezer by = freezer;
        if (by != null) {
          decider.fired(this, callClass, kind);
          by.freeze();
          if (severed) {
            throw dead();
          }
        }
        return false;
      }
    }
    throw new AssertionError(kind);
  }

  /**
   * For what is not called but passed on, such as a request on the wire: what is to become of it.
   * Waits while it is held back.
   *
   * @return null if it is to pass; {@link FaultKind#KILL} also if the attempt is dead; {@link
   *     FaultKind#APPLIED} if {@link #applied} is to follow once it has succeeded
   */
  public @Nullable FaultKind strike(String callClass) {
    if (severed) {
      return FaultKind.KILL;
    }
    FaultKind kind = decider.arriving(this, callClass);
    if (kind == null || kind == FaultKind.APPLIED) {
      return kind;
    }
    Freezer by = freezer;
    if (kind == FaultKind.DELAYED && by == null) {
      return null;
    }
    if (kind == FaultKind.KILL) {
      severed = true;
    }
    decider.fired(this, callClass, kind);
    if (kind == FaultKind.KILL) {
      sever();
    }
    if (kind != FaultKind.DELAYED || by == null) {
      return kind;
    }
    by.freeze();
    return severed ? FaultKind.KILL : null;
  }

  /** Says why nothing can be learned from this run. */
  public void provesNothing(String why) {
    decider.provesNothing(why);
  }

  /** What {@link #strike} said would be applied has been. */
  public void applied(String callClass) {
    decider.fired(this, callClass, FaultKind.APPLIED);
  }

  private AttemptKilledError dead() {
    return new AttemptKilledError("s" + subtask + "@" + attempt + " is dead");
  }
}
