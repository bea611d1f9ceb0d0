package dev.twophase.jdbc.internal;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.jdbc.internal.connect.Session;
import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.ledger.Backlog;
import dev.twophase.jdbc.internal.ledger.Ledger;
import dev.twophase.jdbc.internal.ledger.LedgerCommitter;
import dev.twophase.jdbc.internal.ledger.LineOfStart;
import dev.twophase.jdbc.internal.ledger.Staging;
import dev.twophase.jdbc.internal.rows.JdbcHandle;
import dev.twophase.jdbc.internal.rows.RowBuffer;
import dev.twophase.jdbc.internal.rows.RowLimit;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** The protocol's operations by ledger: nothing is in the target before the commit. */
public final class LedgerConnector<T> extends TransactionalConnector<T, OpenRows, JdbcHandle> {

  private static final long serialVersionUID = 1L;
  private static final long UNKNOWN = -1;

  private final JdbcSettings<T> settings;
  private transient @Nullable Opened opened;
  // Of the attempt, see Ledger.
  private transient long base = UNKNOWN;
  private transient long firstSince = UNKNOWN;
  private transient long identity;
  private transient LineOfStart start = LineOfStart.unknown();
  private transient @Nullable RowLimit rowLimit;
  private transient long previous = JdbcHandle.FIRST;
  private transient boolean waits;

  private record Opened(
      ConnectorContext context,
      Session session,
      Session reader,
      LedgerCommitter committer,
      Backlog backlog,
      boolean exactlyOnce) {}

  public LedgerConnector(JdbcSettings<T> settings) {
    this.settings = settings;
  }

  @Override
  public void open(ConnectorContext context) {
    boolean exactlyOnce = context.guarantee() == DeliveryGuarantee.EXACTLY_ONCE;
    Session session = settings.session();
    Session reader = settings.session();
    opened =
        new Opened(
            context,
            session,
            reader,
            new LedgerCommitter(
                session,
                reader,
                settings.tables(),
                context.sinkName(),
                exactlyOnce,
                settings.bulkPath(),
                settings.batchSize()),
            new Backlog(() -> committedSince(session, context), Backlog.PATIENCE),
            exactlyOnce);
    base = UNKNOWN;
    firstSince = UNKNOWN;
    identity = 0;
    start = LineOfStart.unknown();
    previous = JdbcHandle.FIRST;
    rowLimit = null;
    waits = false;
  }

  @Override
  public void preflight(PreflightContext context) throws Exception {
    new Preflight(settings, context).check(opened().session());
    waits = context.commitsBesideWriter();
  }

  private OptionalLong committedSince(Session session, ConnectorContext context) throws Exception {
    return session.inTransaction(
        (connection, dialect) ->
            new Ledger(dialect, settings.tables(), context.sinkName())
                .committedSince(connection, context.subtask(), context.attemptNonce()));
  }

  @Override
  public OpenRows begin(TransactionId id) throws Exception {
    Opened here = opened();
    if (base == UNKNOWN) {
      // In BATCH, where nobody asks what is committed.
      base = here.exactlyOnce() ? newest(here) : 0;
      firstSince = id.since();
    }
    if (identity == 0 && here.exactlyOnce()) {
      identity = identity(here);
    }
    if (rowLimit == null) {
      rowLimit =
          here.session()
              .inTransaction(
                  (connection, dialect) -> dialect.rowLimit(connection, settings.target()));
    }
    Dialect dialect = here.session().dialect();
    int blockBytes = settings.blockBytes() > 0 ? settings.blockBytes() : dialect.blockBytes();
    return new OpenRows(id, new RowBuffer(dialect.storesNul(), blockBytes, rowLimit));
  }

  private long newest(Opened here) throws Exception {
    return here.session()
        .inTransaction(
            (connection, dialect) ->
                new Ledger(dialect, settings.tables(), here.context().sinkName())
                    .newest(connection, here.context().subtask()));
  }

  /** Another subtask may draw it in the same moment; then it is there at the second look. */
  private long identity(Opened here) throws Exception {
    Session.Work<Long> work =
        (connection, dialect) ->
            new Ledger(dialect, settings.tables(), here.context().sinkName()).identity(connection);
    try {
      return here.session().inTransaction(work);
    } catch (SQLException taken) {
      if (!Dialect.isOfConstraint(taken)) {
        throw taken;
      }
      return here.session().inTransaction(work);
    }
  }

  @Override
  public void write(OpenRows transaction, T record, WriteContext context) throws Exception {
    RowBuffer buffer = transaction.buffer;
    try {
      settings.rowWriter().write(record, buffer);
    } catch (IllegalArgumentException unfit) {
      throw new IllegalArgumentException(
          "Sink '" + opened().context().sinkName() + "': " + unfit.getMessage(), unfit);
    }
    long held = buffer.bytes();
    if (waits && !transaction.hasWaited && transaction.stagedBytes + held > Backlog.MOST_AHEAD) {
      transaction.hasWaited = true;
      opened().backlog().awaitCommits();
    }
    if (held > settings.bufferLimit()) {
      // Half of it is kept: if little comes after these rows, they need not come back.
      stage(transaction, buffer.takeAllBut(settings.bufferLimit() / 2));
    }
  }

  private void stage(OpenRows transaction, List<byte[]> blocks) throws Exception {
    if (blocks.isEmpty()) {
      return;
    }
    Opened here = opened();
    here.session()
        .doInTransaction(
            (connection, dialect) -> {
              new Staging(dialect, settings.tables(), here.context().sinkName())
                  .add(connection, transaction.id, transaction.stagedBlocks, blocks);
            });
    transaction.stagedBlocks += blocks.size();
    transaction.stagedBytes += blocks.stream().mapToLong(block -> block.length).sum();
  }

  /**
   * What is too large for a handle is staged to its end where commits go on beside the writer: a
   * committer takes no handle while it commits another, and one of megabytes would have the writer
   * wait for that.
   */
  @Override
  public Optional<JdbcHandle> preCommit(OpenRows transaction) throws Exception {
    long rows = transaction.buffer.rows();
    List<byte[]> blocks = transaction.buffer.takeAll();
    opened().context().bytesSent().inc(blocks.stream().mapToLong(block -> block.length).sum());
    if (rows == 0) {
      return Optional.empty();
    }
    if (waits) {
      opened().backlog().add(transaction.id);
      if (transaction.stagedBlocks > 0) {
        stage(transaction, blocks);
        blocks = List.of();
      }
    }
    JdbcHandle handle =
        new JdbcHandle(
            settings.target(),
            rows,
            transaction.stagedBlocks,
            base,
            firstSince,
            identity,
            previous,
            start.inHandle(),
            blocks);
    previous = transaction.id.since();
    return Optional.of(handle);
  }

  @Override
  public boolean commitsWhileWriting() {
    return true;
  }

  @Override
  public CommitOutcome commit(TransactionId id, JdbcHandle handle) throws Exception {
    return opened().committer().commit(id, handle);
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<JdbcHandle>> transactions)
      throws Exception {
    return opened().committer().commitFirst(transactions);
  }

  @Override
  public boolean commitsInOrder() {
    return true;
  }

  @Override
  public void abort(OpenRows transaction) throws Exception {
    if (transaction.stagedBlocks > 0) {
      abort(Unfinished.of(transaction.id));
    }
  }

  @Override
  public Iterable<Unfinished> unfinished() throws Exception {
    Opened here = opened();
    return here.session()
        .inTransaction(
            (connection, dialect) ->
                new Staging(dialect, settings.tables(), here.context().sinkName())
                    .list(connection));
  }

  @Override
  public void abort(Unfinished transaction) throws Exception {
    Opened here = opened();
    here.session()
        .doInTransaction(
            (connection, dialect) -> {
              new Staging(dialect, settings.tables(), here.context().sinkName())
                  .delete(connection, transaction.id());
            });
  }

  /**
   * Also notes where the attempt begins: what others commit from here on, since this checkpoint,
   * are the records that it writes too, however many checkpoints without a record come before its
   * first.
   */
  @Override
  public Optional<TransactionId> committedSince(long checkpointId) throws Exception {
    Opened here = opened();
    if (!here.exactlyOnce()) {
      return Optional.empty();
    }
    firstSince = checkpointId;
    here.session()
        .doInTransaction(
            (connection, dialect) -> {
              String sinkName = here.context().sinkName();
              base =
                  new Ledger(dialect, settings.tables(), sinkName)
                      .newest(connection, here.context().subtask());
              start =
                  LineOfStart.look(
                      connection,
                      dialect,
                      settings.tables(),
                      sinkName,
                      here.context().restoredLine(),
                      checkpointId);
            });
    return start.proof();
  }

  @Override
  public OptionalLong line() {
    return start.known() ? OptionalLong.of(start.line()) : OptionalLong.empty();
  }

  @Override
  public SimpleVersionedSerializer<JdbcHandle> handleSerializer() {
    return JdbcHandle.serializer();
  }

  @Override
  public void close() {
    Opened here = opened;
    if (here != null) {
      here.session().close();
      here.reader().close();
    }
  }

  LedgerCommitter committer() {
    return opened().committer();
  }

  /** A connection that this connector uses for a moment only. */
  Session session() {
    return opened().session();
  }

  private Opened opened() {
    Opened here = opened;
    if (here == null) {
      throw new IllegalStateException("The connector has not been opened");
    }
    return here;
  }
}
