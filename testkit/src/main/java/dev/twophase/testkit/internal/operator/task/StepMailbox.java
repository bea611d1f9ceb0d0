package dev.twophase.testkit.internal.operator.task;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;

/**
 * The mailbox of a task that runs in steps: it belongs to the thread that executes the current
 * step, and a sink that waits on it for ever is refused instead of hanging the kit.
 */
final class StepMailbox extends TaskMailboxImpl {

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final LeanEnvironment environment;
  private final long patienceNanos;
  private volatile Thread owner = Thread.currentThread();

  /**
   * @param patienceMillis how long, in real time, a sink may wait for a mail that never comes
   */
  StepMailbox(long patienceMillis, LeanEnvironment environment) {
    super(Thread.currentThread());
    this.environment = environment;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /** Hands the mailbox to the calling thread; the steps of a task never overlap. */
  void enter() {
    owner = Thread.currentThread();
  }

  @Override
  public boolean isMailboxThread() {
    return Thread.currentThread() == owner;
  }

  @Override
  public Mail take(int priority) throws InterruptedException {
    Optional<Mail> mail = tryTake(priority);
    long deadline = System.nanoTime() + patienceNanos;
    while (mail.isEmpty()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (System.nanoTime() - deadline > 0) {
        throw environment.refuse(
            "The sink waits on its mailbox, and nothing came in "
                + TimeUnit.NANOSECONDS.toMillis(patienceNanos)
                + " ms: what it waits for is a later step of the schedule, which the operator tier"
                + " cannot execute inside this one, or nothing at all");
      }
      LockSupport.parkNanos(POLL_NANOS);
      mail = tryTake(priority);
    }
    return mail.get();
  }
}
