package dev.twophase.examples.faults;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * Lets the plan's faults strike around any connector. After a crash the wrapped connector is only
 * closed: a dead process tidies up nothing.
 */
public final class FaultingConnector<IN, T, H> extends DelegatingConnector<IN, T, H> {

  private static final long serialVersionUID = 1L;
  private static final long NO_CHECKPOINT = -1;

  @SuppressWarnings("NullAway.Init")
  private transient FaultPlan plan;

  @SuppressWarnings("NullAway.Init")
  private transient String place;

  /** Of the open transaction. */
  @SuppressWarnings("NullAway.Init")
  private transient UUID nonce;

  private final String sink;
  private transient int generation;
  private transient boolean commitsWait;
  private transient boolean dead;

  /**
   * @param sink what it writes to, for reports
   */
  public FaultingConnector(String sink, TransactionalConnector<IN, T, H> inner) {
    super(inner);
    this.sink = sink;
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    plan = FaultPlan.current();
    generation = plan.generation();
    commitsWait = context.guarantee() == DeliveryGuarantee.EXACTLY_ONCE;
    place = sink + " subtask " + context.subtask();
    crashIfStruck(Point.OPEN, NO_CHECKPOINT);
    super.open(context);
  }

  @Override
  public T begin(TransactionId id) throws Exception {
    T transaction = super.begin(id);
    nonce = id.nonce();
    plan.begun(id.nonce(), generation);
    return transaction;
  }

  @Override
  public void write(T transaction, IN record, WriteContext context) throws Exception {
    if (plan.strikes(Point.WRITE, generation, place, NO_CHECKPOINT).isPresent()) {
      throw new IOException("Injected failure of write: " + place);
    }
    super.write(transaction, record, context);
  }

  @Override
  public Optional<H> preCommit(T transaction) throws Exception {
    Optional<H> handle = super.preCommit(transaction);
    crashIfStruck(Point.PREPARED, NO_CHECKPOINT);
    if (handle.isEmpty() && !commitsWait) {
      // Written without a transaction: it is visible, and nobody will call commit.
      crashIfStruck(Point.COMMIT, NO_CHECKPOINT);
      loseReplyIfStruck(NO_CHECKPOINT);
      plan.committed(nonce);
    }
    return handle;
  }

  @Override
  public CommitOutcome commit(TransactionId id, H handle) throws Exception {
    crashIfStruck(Point.COMMIT, NO_CHECKPOINT);
    CommitOutcome outcome = super.commit(id, handle);
    loseReplyIfStruck(NO_CHECKPOINT);
    plan.committed(id.nonce());
    return outcome;
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<H>> transactions) throws Exception {
    long checkpoint = transactions.get(0).checkpointId();
    crashIfStruck(Point.COMMIT, checkpoint);
    List<CommitOutcome> outcomes = super.commitAll(transactions);
    loseReplyIfStruck(checkpoint);
    for (PreparedTransaction<H> transaction : transactions.subList(0, outcomes.size())) {
      plan.committed(transaction.id().nonce());
    }
    return outcomes;
  }

  @Override
  public void abort(T transaction) throws Exception {
    if (!dead) {
      super.abort(transaction);
    }
  }

  private void loseReplyIfStruck(long checkpoint) throws IOException {
    Optional<FaultKind> fault = plan.strikes(Point.COMMITTED, generation, place, checkpoint);
    if (fault.isPresent() && fault.get() == FaultKind.REPLY_LOST) {
      throw new IOException("Injected loss of the reply to commit: " + place);
    }
    crashIf(fault.isPresent());
  }

  private void crashIfStruck(Point point, long checkpoint) {
    crashIf(plan.strikes(point, generation, place, checkpoint).isPresent());
  }

  private void crashIf(boolean struck) {
    if (struck) {
      dead = true;
      throw new InjectedCrash(place);
    }
  }
}
