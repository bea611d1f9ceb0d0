package dev.twophase.testkit.internal.operator.task;

/** A sink waited on its mailbox and nothing came: in a job it would hang. */
public final class MailboxStarvedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MailboxStarvedException(long waitedMillis) {
    super(
        "the sink waited "
            + waitedMillis
            + " ms on its mailbox, and nothing is left that could send it a mail");
  }
}
