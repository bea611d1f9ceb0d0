package dev.twophase.jdbc.internal;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.jdbc.BulkPath;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.ledger.LedgerCommitter;
import dev.twophase.jdbc.internal.ledger.PreparedTransactions;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.XaHandle;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The protocol's operations with transactions that PostgreSQL prepares.
 *
 * <p>Rows are collected as in mode LEDGER and go to the target in {@code preCommit}, together with
 * the ledger's row, which later proves the outcome when the database no longer knows the
 * transaction. While the attempt's own predecessor is still prepared, it holds that ledger row and
 * perhaps the same keys: then the rows stay in the handle and are committed by ledger, so that an
 * attempt never waits for itself.
 */
public final class XaConnector<T> extends TransactionalConnector<T, OpenRows, XaHandle> {

  private static final long serialVersionUID = 1L;

  private final LedgerConnector<T> ledger;
  private final JdbcSettings<T> settings;
  private transient @Nullable ConnectorContext context;
  private transient @Nullable Session session;
  private transient boolean swept;
  private transient @Nullable UUID judged;

  public XaConnector(JdbcSettings<T> settings) {
    this.settings = settings;
    this.ledger = new LedgerConnector<>(settings);
  }

  @Override
  public void open(ConnectorContext opened) {
    ledger.open(opened);
    context = opened;
    session = settings.session();
    swept = false;
    judged = null;
  }

  @Override
  public void preflight(PreflightContext preflight) throws Exception {
    String database = Reach.connect(session(), settings.source(), preflight).name();
    if (!database.equals("PostgreSQL")) {
      throw preflight.refuse(
          "mode",
          "XA on " + database,
          "Use CommitMode.LEDGER: that prepared transactions survive there, and can be committed by"
              + " another process, is not proven");
    }
    ledger.preflight(preflight);
    int most = session().inTransaction((connection, dialect) -> mostPrepared(connection));
    int needed = 2 * preflight.parallelism();
    if (most < needed) {
      throw preflight.refuse(
          "max_prepared_transactions",
          most,
          "Set it to at least " + needed + " and restart the server, or use CommitMode.LEDGER");
    }
    List<TransactionId> outOfReach =
        session()
            .inTransaction(
                (connection, dialect) ->
                    PreparedTransactions.outOfReach(connection, preflight.sinkName()));
    if (!outOfReach.isEmpty()) {
      throw preflight.refuse(
          "the database user",
          "not the one who prepared " + outOfReach.get(0),
          "Connect as that user (see pg_prepared_xacts), or as a superuser: nobody else may commit"
              + " it");
    }
  }

  private static int mostPrepared(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SHOW max_prepared_transactions")) {
      result.next();
      return result.getInt(1);
    }
  }

  @Override
  public OpenRows begin(TransactionId id) throws Exception {
    return ledger.begin(id);
  }

  /**
   * Prepared transactions of attempts before hold locks that this attempt's rows would wait for, so
   * they cannot wait for the commit of its first checkpoint (R2). What was restored is committed by
   * now: Flink takes no checkpoint before all committers have started.
   */
  private void rollBackLingering(TransactionId own) throws Exception {
    int parallelism = context().parallelism();
    for (TransactionId found : prepared()) {
      boolean mine = found.subtask() % parallelism == own.subtask();
      if (mine && !found.nonce().equals(own.nonce())) {
        rollBack(found);
      }
    }
  }

  @Override
  public void write(OpenRows transaction, T record, WriteContext write) throws Exception {
    ledger.write(transaction, record, write);
  }

  @Override
  public Optional<XaHandle> preCommit(OpenRows transaction) throws Exception {
    Optional<JdbcHandle> collected = ledger.preCommit(transaction);
    if (collected.isEmpty()) {
      return Optional.empty();
    }
    JdbcHandle rows = collected.get();
    TransactionId id = transaction.id;
    if (!swept) {
      rollBackLingering(id);
      swept = true;
    }
    if (prepared().stream().anyMatch(each -> isPredecessor(each, id))) {
      return Optional.of(new XaHandle(false, rows));
    }
    CommitOutcome outcome =
        preparer().apply(id, rows, connection -> PreparedTransactions.prepare(connection, id));
    if (!outcome.equals(CommitOutcome.committed())) {
      throw new SQLException("Transaction " + id + " cannot be prepared: " + outcome);
    }
    return Optional.of(new XaHandle(true, rows.withoutRows()));
  }

  /** The bulk path for upserts and deletes has a temporary table, which PREPARE forbids. */
  private LedgerCommitter preparer() {
    return new LedgerCommitter(
        session(),
        ledger.session(),
        settings.tables(),
        context().sinkName(),
        true,
        settings.target().operation() == Target.Operation.INSERT
            ? settings.bulkPath()
            : BulkPath.BATCH,
        settings.batchSize());
  }

  private static boolean isPredecessor(TransactionId each, TransactionId id) {
    return each.subtask() == id.subtask() && each.nonce().equals(id.nonce());
  }

  @Override
  public CommitOutcome commit(TransactionId id, XaHandle handle) throws Exception {
    if (!handle.inDatabase()) {
      return ledger.commit(id, handle.rows());
    }
    Optional<CommitOutcome> left = judgeLine(id, handle);
    if (left.isPresent()) {
      return left.get();
    }
    try {
      session().outsideTransaction(connection -> PreparedTransactions.commit(connection, id));
      return CommitOutcome.committed();
    } catch (SQLException error) {
      // The list first: what is committed between two looks is in the ledger at the second.
      if (prepared().contains(id)) {
        throw error;
      }
      return ledger.committer().isCommitted(id, handle.rows())
          ? CommitOutcome.alreadyCommitted()
          : ledger
              .committer()
              .lost(
                  id,
                  "the database has neither prepared it nor a row of it in the ledger; asked to commit"
                      + " it, it said: "
                      + error.getMessage());
    }
  }

  /**
   * Once per attempt that is committed for: of one that goes on, each transaction was judged when
   * it was prepared. It stays prepared, until the line that goes on sweeps it away.
   */
  private Optional<CommitOutcome> judgeLine(TransactionId id, XaHandle handle) throws Exception {
    if (id.nonce().equals(judged)) {
      return Optional.empty();
    }
    Optional<CommitOutcome> left = ledger.committer().judgeLine(id, handle.rows());
    judged = left.isEmpty() ? id.nonce() : null;
    return left;
  }

  @Override
  public void abort(OpenRows transaction) throws Exception {
    ledger.abort(transaction);
  }

  @Override
  public Iterable<Unfinished> unfinished() throws Exception {
    List<Unfinished> found = new ArrayList<>();
    ledger.unfinished().forEach(found::add);
    for (TransactionId id : prepared()) {
      if (!found.contains(Unfinished.of(id))) {
        found.add(Unfinished.of(id));
      }
    }
    return found;
  }

  @Override
  public void abort(Unfinished transaction) throws Exception {
    if (prepared().contains(transaction.id())) {
      rollBack(transaction.id());
    }
    ledger.abort(transaction);
  }

  private void rollBack(TransactionId id) throws Exception {
    try {
      session().outsideTransaction(connection -> PreparedTransactions.rollback(connection, id));
    } catch (SQLException error) {
      if (prepared().contains(id)) {
        throw error;
      }
    }
  }

  private List<TransactionId> prepared() throws Exception {
    String sinkName = context().sinkName();
    return session()
        .inTransaction((connection, dialect) -> PreparedTransactions.list(connection, sinkName));
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    return ledger.committedSince(checkpointId);
  }

  @Override
  public OptionalLong line() {
    return ledger.line();
  }

  @Override
  public SimpleVersionedSerializer<XaHandle> handleSerializer() {
    return XaHandle.serializer();
  }

  @Override
  public void close() {
    ledger.close();
    Session opened = session;
    if (opened != null) {
      opened.close();
    }
  }

  private ConnectorContext context() {
    ConnectorContext opened = context;
    if (opened == null) {
      throw new IllegalStateException("The connector has not been opened");
    }
    return opened;
  }

  private Session session() {
    Session opened = session;
    if (opened == null) {
      throw new IllegalStateException("The connector has not been opened");
    }
    return opened;
  }
}
