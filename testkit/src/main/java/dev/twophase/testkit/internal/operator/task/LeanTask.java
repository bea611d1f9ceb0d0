package dev.twophase.testkit.internal.operator.task;

import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.Optional;
import org.apache.flink.runtime.checkpoint.SubTaskInitializationMetricsBuilder;
import org.apache.flink.runtime.operators.coordination.OperatorEventDispatcher;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamTaskStateInitializer;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.jspecify.annotations.Nullable;

/**
 * A stream task without input, output and threads: the owner of what the operators of one attempt
 * share (environment, mailbox, clock). It never runs a loop of its own; its owner executes steps.
 */
public final class LeanTask extends StreamTask<Object, StreamOperator<Object>> {

  private final LeanEnvironment environment;
  private final TestProcessingTimeService timers;
  private final StepMailbox mailbox;
  private final ClassLoader userClassLoader;
  private long steps;

  private LeanTask(
      LeanEnvironment environment,
      TestProcessingTimeService timers,
      StepMailbox mailbox,
      ClassLoader userClassLoader)
      throws Exception {
    super(
        environment,
        timers,
        (thread, error) -> environment.failExternally(error),
        StreamTaskActionExecutor.IMMEDIATE,
        mailbox);
    this.environment = environment;
    this.timers = timers;
    this.mailbox = mailbox;
    this.userClassLoader = userClassLoader;
  }

  /** Sets up the task of one attempt; it belongs to the calling thread until the next step. */
  public static LeanTask create(TaskSettings settings, TaskStateManager state) throws Exception {
    TestProcessingTimeService timers = new TestProcessingTimeService();
    timers.setCurrentTime(settings.processingTime());
    LeanEnvironment environment = new LeanEnvironment(settings, state);
    return new LeanTask(
        environment,
        timers,
        new StepMailbox(settings.mailboxPatienceMillis(), environment),
        settings.userClassLoader());
  }

  /** One step of the task's thread. */
  @FunctionalInterface
  public interface Step<R> {
    R run() throws Exception;
  }

  /** One step of the task's thread that returns nothing. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  /** As {@link #step}, for a step that returns nothing. */
  public void execute(Action action) throws Exception {
    Boolean unused =
        step(
            () -> {
              action.run();
              return Boolean.TRUE;
            });
  }

  /**
   * Executes a step as the task's thread would: with the sink's class loader, then with the mails
   * that came meanwhile.
   *
   * @throws InconclusiveException if the sink asked for what this tier does not have
   * @throws Exception what the step or a mail threw, or what a thread of the sink reported
   */
  public <R> R step(Step<R> step) throws Exception {
    mailbox.enter();
    steps++;
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(userClassLoader);
    try {
      runMails();
      R result = step.run();
      runMails();
      throwRefusal(null);
      return result;
    } catch (Throwable failure) {
      throwRefusal(failure);
      throw failure;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private void throwRefusal(@Nullable Throwable failure) {
    InconclusiveException refusal = environment.refusal();
    if (refusal != null && refusal != failure) {
      if (failure != null) {
        refusal.addSuppressed(failure);
      }
      throw refusal;
    }
  }

  /** The way to the job master, which does not exist here. */
  public OperatorEventDispatcher eventDispatcher() {
    return new NoCoordinator(environment);
  }

  /** How many steps have begun. */
  public long stepNumber() {
    return steps;
  }

  /** Runs the mails that are there, and throws what was reported as the task's failure. */
  public void runMails() throws Exception {
    Optional<Mail> mail = mailbox.tryTake(TaskMailbox.MIN_PRIORITY);
    while (mail.isPresent()) {
      mail.get().run();
      mail = mailbox.tryTake(TaskMailbox.MIN_PRIORITY);
    }
    Throwable failure = environment.failure();
    if (failure instanceof Exception exception) {
      throw exception;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  /** Moves the clock; timers that are due send their mails. */
  public void advanceClock(long processingTime) throws Exception {
    timers.setCurrentTime(processingTime);
  }

  /** Creates what operators restore their state from. */
  public StreamTaskStateInitializer stateInitializer() {
    return createStreamTaskStateInitializer(new SubTaskInitializationMetricsBuilder(0));
  }

  /** Frees what the task holds; calls nothing of the sink. */
  public void release(@Nullable Throwable cause) throws Exception {
    mailbox.enter();
    cleanUp(cause);
  }

  @Override
  public void handleAsyncException(String message, Throwable exception) {
    environment.failExternally(exception);
  }

  /**
   * Nothing: Flink's closes what a task left open, which {@link #release} has done. As long as
   * there is something to finalize, no task is freed by the first collection that finds it dead.
   */
  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"})
  protected void finalize() {}

  @Override
  protected void init() {
    throw new UnsupportedOperationException("a lean task is not invoked");
  }
}
