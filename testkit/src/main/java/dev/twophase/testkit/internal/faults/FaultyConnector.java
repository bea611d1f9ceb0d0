package dev.twophase.testkit.internal.faults;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.testkit.internal.gate.AttemptKilledError;
import dev.twophase.testkit.internal.gate.CallGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** Puts the gate in front of every operation of a connector that touches the resource. */
public final class FaultyConnector<IN, T, H> extends TransactionalConnector<IN, T, H> {

  private static final long serialVersionUID = 1L;

  /** Whether a class of connectors has a batch form of its own. */
  private static final ClassValue<Boolean> OWN_BATCHES =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return overridesCommitAll(type);
        }
      };

  private final TransactionalConnector<IN, T, H> target;
  private final boolean ownBatches;

  /** Bound in {@link #open}: an instance belongs to one attempt from there on. */
  private transient @Nullable CallGate gate;

  public FaultyConnector(TransactionalConnector<IN, T, H> target) {
    this.target = Objects.requireNonNull(target, "target");
    this.ownBatches = OWN_BATCHES.get(target.getClass());
  }

  private static boolean overridesCommitAll(Class<?> type) {
    try {
      return type.getMethod("commitAll", List.class).getDeclaringClass()
          != TransactionalConnector.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private CallGate gate() {
    CallGate bound = gate;
    if (bound == null) {
      bound =
          Objects.requireNonNull(
              CallGate.current(), "a connector under test is used outside any attempt");
      gate = bound;
    }
    return bound;
  }

  @Override
  public void open(ConnectorContext context) throws Exception {
    gate().run("open", () -> target.open(context));
  }

  @Override
  public void preflight(PreflightContext context) throws Exception {
    gate().run("preflight", () -> target.preflight(context));
  }

  @Override
  public T begin(TransactionId id) throws Exception {
    boolean withhold = gate().enterWith("begin", id);
    T begun = target.begin(id);
    if (withhold) {
      throw gate().withheld("begin");
    }
    return begun;
  }

  @Override
  public void write(T transaction, IN record, WriteContext context) throws Exception {
    boolean withhold = gate().enterWith("write", record);
    target.write(transaction, record, context);
    if (withhold) {
      throw gate().withheld("write");
    }
  }

  @Override
  public Optional<H> preCommit(T transaction) throws Exception {
    boolean withhold = gate().enterWith("preCommit", transaction);
    Optional<H> handle = target.preCommit(transaction);
    if (withhold) {
      throw gate().withheld("preCommit");
    }
    return handle;
  }

  @Override
  public boolean coversEmptyIntervals() {
    return target.coversEmptyIntervals();
  }

  @Override
  public void watermark(long timestamp) {
    target.watermark(timestamp);
  }

  @Override
  public void endOfInput() {
    target.endOfInput();
  }

  @Override
  public CommitOutcome commit(TransactionId id, H handle) throws Exception {
    boolean withhold = gate().enterWith("commit", id);
    CommitOutcome outcome = target.commit(id, handle);
    if (withhold) {
      throw gate().withheld("commit");
    }
    return outcome;
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<H>> transactions) throws Exception {
    if (ownBatches && transactions.size() > 1) {
      return gate().call("commitAll", () -> target.commitAll(transactions));
    }
    List<CommitOutcome> outcomes = new ArrayList<>(transactions.size());
    for (PreparedTransaction<H> transaction : transactions) {
      outcomes.add(commit(transaction.id(), transaction.handle().orElseThrow()));
    }
    return outcomes;
  }

  @Override
  public void abort(T transaction) throws Exception {
    gate().run("abort", () -> target.abort(transaction));
  }

  @Override
  public Iterable<Unfinished> unfinished() throws Exception {
    return gate().call("unfinished", target::unfinished);
  }

  @Override
  public void abort(Unfinished transaction) throws Exception {
    gate().run("abortLingering", () -> target.abort(transaction));
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    return gate().call("committedSince", () -> target.committedSince(checkpointId));
  }

  @Override
  public OptionalLong line() {
    return target.line();
  }

  @Override
  public Optional<String> rewindRemedy(long checkpointId) {
    return target.rewindRemedy(checkpointId);
  }

  @Override
  public boolean commitsInOrder() {
    return target.commitsInOrder();
  }

  @Override
  public boolean commitsWhileWriting() {
    return target.commitsWhileWriting();
  }

  @Override
  public Optional<Duration> transactionLifetime() {
    return target.transactionLifetime();
  }

  @Override
  public String transactionLifetimeSetting() {
    return target.transactionLifetimeSetting();
  }

  @Override
  public SimpleVersionedSerializer<H> handleSerializer() {
    return target.handleSerializer();
  }

  @Override
  public void close() throws Exception {
    CallGate mine = gate();
    if (mine.severed()) {
      return;
    }
    try {
      mine.run("close", target::close);
    } catch (AttemptKilledError killed) {
      // Whoever closes goes on closing the rest, of which nothing gets through any more.
      if (!mine.severed()) {
        throw killed;
      }
    }
  }
}
