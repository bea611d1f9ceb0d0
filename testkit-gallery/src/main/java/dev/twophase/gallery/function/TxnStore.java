package dev.twophase.gallery.function;

import dev.twophase.gallery.store.Naming;
import dev.twophase.gallery.store.Store;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a two-phase function does with its transactions, for one attempt. */
class TxnStore {

  private static final Logger LOG = LoggerFactory.getLogger(TxnStore.class);

  private final StoreClient client;
  private final Naming naming;
  private int begun;

  TxnStore(SinkSetup setup, RuntimeContext context) {
    client = setup.faults().around(StoreClient.class, Store.of(setup.namespace()));
    naming = Naming.of(context.getJobInfo().getJobId(), context.getTaskInfo());
  }

  /** Nothing is in the store before there is something to write. */
  final Txn begin() {
    return new Txn(naming.id(begun++));
  }

  /** Writes what is in the buffer and prepares it. */
  final void seal(Txn transaction) throws IOException {
    if (isEmpty(transaction)) {
      return;
    }
    client.begin(transaction.id);
    for (TestRecord record : transaction.buffer) {
      client.write(transaction.id, record);
    }
    transaction.rows = transaction.buffer.size();
    transaction.buffer.clear();
    transaction.token = client.prepare(transaction.id);
  }

  /** Whether there is nothing to write and nothing was written. */
  boolean isEmpty(Txn transaction) {
    return transaction.buffer.isEmpty() && transaction.rows == 0;
  }

  final void commit(Txn transaction) {
    if (isEmpty(transaction)) {
      return;
    }
    try {
      client.commit(transaction.id, transaction.token);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  final void abort(Txn transaction) {
    try {
      client.abort(transaction.id);
    } catch (IOException e) {
      LOG.warn("Could not abort {}; the store will in time", transaction.id, e);
    }
  }
}
