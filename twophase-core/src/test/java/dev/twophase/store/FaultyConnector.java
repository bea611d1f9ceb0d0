package dev.twophase.store;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.error.CommitRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A correct connector in a world where each planned call fails the task once. */
public final class FaultyConnector extends MemoryConnector {

  private static final long serialVersionUID = 1L;

  private static final Map<String, Queue<String>> PLANS = new ConcurrentHashMap<>();
  private static final Map<String, Queue<String>> FIRED = new ConcurrentHashMap<>();

  /**
   * @param plan names of calls; each fires once, in this order: a fault waits for the one before it
   */
  public FaultyConnector(String storeName, List<String> plan) {
    super(storeName);
    PLANS.put(storeName, new ConcurrentLinkedQueue<>(plan));
    FIRED.put(storeName, new ConcurrentLinkedQueue<>());
  }

  /** Names of the faults that fired. */
  public static List<String> fired(String storeName) {
    return List.copyOf(FIRED.get(storeName));
  }

  private synchronized boolean strikes(String call) {
    Queue<String> plan = PLANS.get(storeName);
    synchronized (plan) {
      if (!call.equals(plan.peek())) {
        return false;
      }
      plan.poll();
      FIRED.get(storeName).add(call);
      return true;
    }
  }

  private void maybeFail(String call) {
    if (strikes(call)) {
      throw new IllegalStateException("planned fault in " + call);
    }
  }

  @Override
  public TransactionId begin(TransactionId id) {
    maybeFail("before begin");
    TransactionId begun = super.begin(id);
    maybeFail("after begin");
    return begun;
  }

  @Override
  public void write(TransactionId transaction, String record, WriteContext writeContext) {
    maybeFail("write");
    super.write(transaction, record, writeContext);
  }

  @Override
  public Optional<String> preCommit(TransactionId transaction) {
    maybeFail("before preCommit");
    Optional<String> handle = super.preCommit(transaction);
    maybeFail("after preCommit");
    return handle;
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    if (strikes("before commit")) {
      throw new CommitRefusedException("planned fault before commit");
    }
    CommitOutcome outcome = super.commit(id, handle);
    if (strikes("after commit")) {
      throw new CommitRefusedException("planned fault after commit");
    }
    return outcome;
  }

  @Override
  public List<Unfinished> unfinished() {
    maybeFail("unfinished");
    return super.unfinished();
  }

  @Override
  public void close() {
    maybeFail("close");
  }
}
