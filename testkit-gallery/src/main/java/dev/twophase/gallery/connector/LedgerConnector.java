package dev.twophase.gallery.connector;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.gallery.store.Store;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Correct: the handle carries the rows, and the commit inserts them together with a key that names
 * the transaction. Nothing is in the store before.
 */
public class LedgerConnector
    extends TransactionalConnector<TestRecord, List<TestRecord>, List<TestRecord>> {

  private static final long serialVersionUID = 1L;

  private final SinkSetup setup;

  @SuppressWarnings("NullAway.Init") // by open
  private transient StoreClient client;

  public LedgerConnector(SinkSetup setup) {
    this.setup = setup;
  }

  @Override
  public void open(ConnectorContext context) {
    client = setup.faults().around(StoreClient.class, Store.of(setup.namespace()));
  }

  final StoreClient client() {
    return client;
  }

  @Override
  public List<TestRecord> begin(TransactionId id) {
    return new ArrayList<>();
  }

  @Override
  public void write(List<TestRecord> transaction, TestRecord record, WriteContext context) {
    transaction.add(record);
  }

  @Override
  public Optional<List<TestRecord>> preCommit(List<TestRecord> transaction) {
    return Optional.of(List.copyOf(transaction));
  }

  @Override
  public CommitOutcome commit(TransactionId id, List<TestRecord> rows) throws IOException {
    return client.insert(id.toString(), rows)
        ? CommitOutcome.committed()
        : CommitOutcome.alreadyCommitted();
  }

  @Override
  public void abort(List<TestRecord> transaction) {
    transaction.clear();
  }

  @Override
  public List<Unfinished> unfinished() {
    return List.of();
  }

  @Override
  public void abort(Unfinished transaction) {}

  @Override
  public SimpleVersionedSerializer<List<TestRecord>> handleSerializer() {
    return HandleSerializers.text(LedgerConnector::format, LedgerConnector::parse);
  }

  private static String format(List<TestRecord> rows) {
    return rows.stream().map(TestRecord::asText).collect(Collectors.joining("\n"));
  }

  private static List<TestRecord> parse(String text) {
    return text.lines().map(TestRecord::fromText).toList();
  }
}
