package dev.twophase.examples.migration;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Where the guide ends: the same sink as a connector, for both of Flink's APIs. */
// tag::class[]
public final class OrderConnector extends TransactionalConnector<String, String, String> {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // LocalStaging is serializable
  private final Staging staging;

  private String sinkName = "";

  public OrderConnector(Staging staging) {
    this.staging = staging;
  }

  @Override
  public void open(ConnectorContext context) {
    sinkName = context.sinkName();
  }

  @Override
  public String begin(TransactionId id) {
    return id.toString();
  }

  @Override
  public void write(String transaction, String order, WriteContext context) {
    staging.append(transaction, order);
  }

  @Override
  public Optional<String> preCommit(String transaction) {
    staging.sync(transaction);
    return Optional.of(transaction);
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) {
    if (staging.publish(handle)) {
      return CommitOutcome.committed();
    }
    return staging.isVisible(handle)
        ? CommitOutcome.alreadyCommitted()
        : CommitOutcome.lost("neither a staged nor a visible file of " + handle);
  }

  @Override
  public void abort(String transaction) {
    staging.discard(transaction);
  }

  @Override
  public List<Unfinished> unfinished() {
    return mine(staging.staged()).map(Unfinished::of).toList();
  }

  @Override
  public void abort(Unfinished transaction) {
    staging.discard(transaction.id().toString());
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId) {
    return mine(staging.visible()).filter(id -> id.since() >= checkpointId).findFirst();
  }

  @Override
  public SimpleVersionedSerializer<String> handleSerializer() {
    return HandleSerializers.text();
  }

  private Stream<TransactionId> mine(List<String> names) {
    return names.stream()
        .flatMap(name -> TransactionId.parse(name).stream())
        .filter(id -> id.sinkName().equals(sinkName));
  }
}
// end::class[]
