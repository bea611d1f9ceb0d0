package dev.twophase.examples.store;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.examples.store.LogStore.Staging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.io.SimpleVersionedSerializer;

// tag::sink[]
/** Writes lines to a {@link LogStore}, exactly once. A transaction's handle is its name. */
public class LogStoreConnector extends TransactionalConnector<String, Staging, String> {
  private static final long serialVersionUID = 1L;
  private final String directory;
  private transient LogStore store;
  private transient String sinkName;

  @SuppressWarnings("NullAway.Init") // `open` comes first
  public LogStoreConnector(String directory) {
    this.directory = directory;
  }

  @Override
  public void open(ConnectorContext context) throws IOException {
    store = LogStore.open(Path.of(directory));
    sinkName = context.sinkName();
  }

  @Override
  public Staging begin(TransactionId id) throws IOException {
    return store.begin(id.toString());
  }

  @Override
  public void write(Staging open, String line, WriteContext ignored) throws IOException {
    open.add(line);
  }

  @Override
  public Optional<String> preCommit(Staging open) throws IOException {
    return Optional.of(open.seal());
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws IOException {
    if (store.commit(handle)) {
      return CommitOutcome.committed();
    }
    boolean there = store.committed().contains(handle);
    return there ? CommitOutcome.alreadyCommitted() : CommitOutcome.lost("not staged: " + handle);
  }

  @Override
  public void abort(Staging open) throws IOException {
    open.discard();
  }

  @Override
  public Iterable<Unfinished> unfinished() throws IOException {
    return ours(store.staged()).map(Unfinished::of).toList();
  }

  @Override
  public void abort(Unfinished lingering) throws IOException {
    store.discard(lingering.id().toString());
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpoint) throws IOException {
    return ours(store.committed()).filter(id -> id.since() >= checkpoint).findFirst();
  }

  private Stream<TransactionId> ours(Collection<String> names) {
    Stream<TransactionId> all = names.stream().flatMap(name -> TransactionId.parse(name).stream());
    return all.filter(id -> id.sinkName().equals(sinkName));
  }

  @Override
  public SimpleVersionedSerializer<String> handleSerializer() {
    return HandleSerializers.text();
  }
}
// end::sink[]
