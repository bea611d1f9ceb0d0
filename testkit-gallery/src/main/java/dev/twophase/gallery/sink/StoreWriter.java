package dev.twophase.gallery.sink;

import dev.twophase.gallery.store.Naming;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buffers records, and writes them to a transaction that lasts from one checkpoint to the next.
 * Lists what earlier attempts left behind until there is nothing, and aborts none of it: that is
 * for the committer, when all that was restored is committed.
 */
class StoreWriter implements CommittingSinkWriter<TestRecord, Committable> {

  private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);

  private static final int MOST_BUFFERED = 4;

  private final StoreClient client;
  private final Naming naming;
  private final int parallelism;
  private final List<TestRecord> buffer = new ArrayList<>();
  private @Nullable String open;
  private int begun;
  private boolean swept;

  StoreWriter(StoreClient client, Naming naming, int parallelism) {
    this.client = client;
    this.naming = naming;
    this.parallelism = parallelism;
  }

  final StoreClient client() {
    return client;
  }

  @Override
  public void write(TestRecord record, Context context) throws IOException {
    buffer.add(record);
    if (buffer.size() == MOST_BUFFERED) {
      flush(false);
    }
  }

  @Override
  public void flush(boolean endOfInput) throws IOException {
    for (TestRecord record : buffer) {
      client.write(transaction(), record);
    }
    buffer.clear();
  }

  private String transaction() throws IOException {
    String current = open;
    if (current == null) {
      current = naming.id(begun++);
      client.begin(current);
      open = current;
    }
    return current;
  }

  @Override
  public Collection<Committable> prepareCommit() throws IOException {
    List<String> lingering = swept ? List.of() : listLingering();
    swept = lingering.isEmpty();
    String prepared = open;
    if (prepared == null) {
      return swept ? List.of() : List.of(new Committable("", 0, lingering));
    }
    long token = client.prepare(prepared);
    open = null;
    return List.of(new Committable(prepared, token, lingering));
  }

  private List<String> listLingering() throws IOException {
    return client.listUnfinished().stream().filter(id -> naming.inherits(id, parallelism)).toList();
  }

  @Override
  public void close() throws Exception {
    String abandoned = open;
    if (abandoned != null) {
      try {
        client.abort(abandoned);
      } catch (IOException e) {
        LOG.warn("Could not abort {}; the next attempt will", abandoned, e);
      }
    }
  }
}
