package dev.twophase.testkit.internal.watch;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.gate.OwnLine;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls that never return. Each thread that runs attempts has one; a thread of its own looks
 * at all of them. A call that takes longer than is declared is severed from everything and
 * interrupted. It hangs if its stack was the same each time it was looked at, else it is merely
 * slow.
 */
public final class Watch extends OwnLine {

  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final int FEWEST_LOOKS = 3;
  private static final int FRAMES_TOLD = 3;

  /** After so many more, what was interrupted is taken to ignore it. */
  private static final int LOOKS_UNTIL_IGNORED = 20;

  private static final AtomicLongFieldUpdater<Watch> CALLS =
      AtomicLongFieldUpdater.newUpdater(Watch.class, "calls");

  private static final List<Watch> ALL = new CopyOnWriteArrayList<>();
  private static final ThreadLocal<Watch> OF_THREAD = ThreadLocal.withInitial(Watch::new);

  static {
    Thread watchdog = new Thread(Watch::lookForEver, "twophase-testkit-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
  }

  private final Thread thread = Thread.currentThread();

  /** Odd while a call is under way. A field of this object, which has a cache line of its own. */
  private volatile long calls;

  // Written between two calls, in order: behind the end of the one, and before the number of the
  // other. As volatile fields they would cost two full fences in each call of each run.
  private @Nullable CallGate gate;
  private long limitNanos;

  private volatile @Nullable Overdue overdue;

  // Of the watchdog alone.
  private long seenCall;
  private long since;
  private int looks;
  private int strikes;
  private boolean moved;
  private StackTraceElement[] stack = new StackTraceElement[0];

  private Watch() {
    ALL.add(this);
  }

  public static Watch ofThisThread() {
    return OF_THREAD.get();
  }

  /** That of the calling thread, which is this one unless another thread has taken over. */
  public Watch here() {
    return thread == Thread.currentThread() ? this : ofThisThread();
  }

  /**
   * Makes a call that belongs to no attempt, such as that of a reader.
   *
   * @throws HungException if it had to be interrupted, and was stuck
   * @throws InconclusiveException if it had to be interrupted, and was merely slow
   * @throws Exception whatever it throws
   */
  public <T> T limited(String what, Duration limit, Callable<T> call) throws Exception {
    Watch watch = here();
    Overdue late;
    watch.begin(null, limit.toNanos());
    try {
      T result = call.call();
      late = watch.end();
      if (late == null) {
        return result;
      }
    } catch (Throwable thrown) {
      late = watch.end();
      if (late == null) {
        throw thrown;
      }
    }
    String message = what + " " + late.description();
    if (late.stuck()) {
      throw new HungException(message);
    }
    throw new InconclusiveException(message);
  }

  /**
   * The attempt has died in another thread than its own: whatever it waits for ends, as it would
   * with its process.
   */
  public static void interruptDead(CallGate dead) {
    ALL.forEach(watch -> watch.interruptIfOf(dead));
  }

  private synchronized void interruptIfOf(CallGate dead) {
    long call = calls;
    if (call % 2 == 0 || gate() != dead || overdue != null) {
      return;
    }
    overdue = new Overdue(false, false, "");
    if (calls != call) {
      overdue = null;
    } else {
      thread.interrupt();
    }
  }

  public void begin(@Nullable CallGate of, long limit) {
    VarHandle.releaseFence();
    gate = of;
    limitNanos = limit;
    CALLS.lazySet(this, calls + 1);
  }

  private @Nullable CallGate gate() {
    CallGate of = gate;
    VarHandle.acquireFence();
    return of;
  }

  /** The call is over; returns what was wrong with it, or null. */
  public @Nullable Overdue end() {
    CALLS.set(this, calls + 1);
    if (overdue == null) {
      return null;
    }
    synchronized (this) {
      Overdue ended = overdue;
      overdue = null;
      if (ended != null) {
        // It was meant for the call.
        Thread.interrupted();
      }
      return ended != null && ended.late() ? ended : null;
    }
  }

  /** The call is held back: that is not its own doing. */
  void pause() {
    CALLS.set(this, calls + 1);
  }

  void resume() {
    CALLS.set(this, calls + 1);
  }

  private static void lookForEver() {
    while (true) {
      LockSupport.parkNanos(LOOK_NANOS);
      ALL.removeIf(watch -> !watch.thread.isAlive());
      ALL.forEach(watch -> watch.look(System.nanoTime()));
    }
  }

  private void look(long now) {
    long call = calls;
    if (call % 2 == 0 || call != seenCall) {
      seenCall = call;
      since = now;
      looks = 0;
      strikes = 0;
      moved = false;
      return;
    }
    long takes = now - since;
    long limit = limitNanos;
    if (takes < limit / 2) {
      return;
    }
    StackTraceElement[] present = thread.getStackTrace();
    moved |= looks > 0 && !Arrays.equals(present, stack);
    stack = present;
    looks++;
    if (takes > limit && looks >= FEWEST_LOOKS) {
      strike(call, takes);
      if (++strikes == LOOKS_UNTIL_IGNORED) {
        // Nothing else will be heard of it: the thread never comes back.
        System.err.println(
            "twophase test kit: a call ignores that its thread is interrupted, so that it cannot be"
                + " ended. It "
                + describe(takes)
                + ". Put JUnit's @Timeout on the test");
      }
    }
  }

  private synchronized void strike(long call, long takes) {
    Overdue known = overdue;
    overdue = known != null && known.late() ? known : new Overdue(true, !moved, describe(takes));
    CallGate severed = gate();
    if (calls != call) {
      overdue = null;
    } else {
      if (severed != null) {
        severed.sever();
      }
      thread.interrupt();
    }
  }

  private String describe(long takes) {
    StringBuilder text =
        new StringBuilder("did not return for ")
            .append(Duration.ofNanos(takes).toMillis())
            .append(moved ? " ms, though it was not stuck" : " ms, stuck");
    int told = 0;
    for (int i = 0; i < stack.length && told < FRAMES_TOLD; i++) {
      // How the JDK waits says little; who waits says it all.
      if (!"java.base".equals(stack[i].getModuleName())) {
        text.append(told++ == 0 ? " in " : " < ").append(stack[i]);
      }
    }
    return text.toString();
  }

  /**
   * A call that was interrupted.
   *
   * @param late whether it took too long; else its attempt is dead
   * @param stuck whether it hung, for all that can be seen
   * @param description for people
   */
  public record Overdue(boolean late, boolean stuck, String description) {}
}
