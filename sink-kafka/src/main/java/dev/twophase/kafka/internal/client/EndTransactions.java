package dev.twophase.kafka.internal.client;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.Node;

/**
 * Ends transactions that this process holds no producer for. Not thread-safe. An interface so that
 * tests can put faults in front of it.
 */
public interface EndTransactions extends AutoCloseable {

  /**
   * What to end: exactly the transaction of this producer id and epoch.
   *
   * @param owner whose it is: those of one owner are ended one after the other
   * @param coordinator to whom the request goes
   * @param protocol the transaction version under which it was begun, 1 or 2
   */
  record Ending(
      String owner,
      String transactionalId,
      long producerId,
      short epoch,
      int protocol,
      boolean commit,
      Node coordinator) {}

  /** What became of a request. */
  enum Answer {
    /** the coordinator has decided as asked, now or before */
    DONE,
    /** it may or may not have been applied, or the coordinator is busy: ask again */
    UNKNOWN,
    /** one before it, of the same owner, was not done */
    NOT_SENT,
    /** the coordinator refused; why is to be found out by looking at its state */
    REFUSED,
    /** the user may not end this transaction */
    UNAUTHORIZED
  }

  /**
   * An answer in the coordinator's words.
   *
   * @param detail name of the error, for messages
   */
  record Reply(Answer answer, String detail) {}

  /**
   * Ends all of them and waits for the answers: those of different owners side by side, pipelined
   * to each coordinator, those of one owner in order. After one that is not done no more of its
   * owner are sent (C3).
   *
   * @return one reply for each
   * @throws InterruptedException if interrupted while waiting
   */
  Map<Ending, Reply> end(Collection<Ending> endings, Duration timeout) throws InterruptedException;

  @Override
  void close();
}
