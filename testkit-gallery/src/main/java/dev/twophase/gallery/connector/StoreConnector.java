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
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Correct: transactions of the store, with the mark of their commit in the same transaction. */
public class StoreConnector extends TransactionalConnector<TestRecord, String, String> {

  private static final long serialVersionUID = 1L;

  private final SinkSetup setup;

  @SuppressWarnings("NullAway.Init") // by open
  private transient StoreClient client;

  @SuppressWarnings("NullAway.Init") // by open
  private transient ConnectorContext context;

  public StoreConnector(SinkSetup setup) {
    this.setup = setup;
  }

  @Override
  public void open(ConnectorContext openContext) {
    context = openContext;
    client = setup.faults().around(StoreClient.class, Store.of(setup.namespace()));
  }

  final StoreClient client() {
    return client;
  }

  final ConnectorContext context() {
    return context;
  }

  @Override
  public String begin(TransactionId id) throws IOException {
    String name = id.toString();
    client.begin(name);
    return name;
  }

  @Override
  public void write(String transaction, TestRecord record, WriteContext writeContext)
      throws Exception {
    client.write(transaction, record);
  }

  @Override
  public Optional<String> preCommit(String transaction) throws Exception {
    return Optional.of(transaction + " " + client.prepare(transaction));
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    int blank = handle.indexOf(' ');
    return client.commit(handle.substring(0, blank), Long.parseLong(handle.substring(blank + 1)))
        ? CommitOutcome.committed()
        : CommitOutcome.alreadyCommitted();
  }

  @Override
  public void abort(String transaction) throws IOException {
    client.abort(transaction);
  }

  @Override
  public List<Unfinished> unfinished() throws IOException {
    List<Unfinished> mine = new ArrayList<>();
    for (String text : client.listUnfinished()) {
      TransactionId.parse(text)
          .filter(id -> id.sinkName().equals(context.sinkName()))
          .ifPresent(id -> mine.add(Unfinished.of(id)));
    }
    return mine;
  }

  @Override
  public void abort(Unfinished transaction) throws IOException {
    client.abort(transaction.id().toString());
  }

  @Override
  public SimpleVersionedSerializer<String> handleSerializer() {
    return HandleSerializers.text();
  }
}
