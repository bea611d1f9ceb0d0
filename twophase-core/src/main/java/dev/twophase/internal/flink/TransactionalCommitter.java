package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.TransactionLostException;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.CommitEngine.Settlement;
import dev.twophase.internal.engine.ProtocolListener;
import dev.twophase.policy.SinkOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Committer;

/**
 * Sink V2's committer on the engine. Flink calls it once per completed checkpoint, in order, and
 * takes a normal return without a signal for success: it returns only when every transaction is
 * settled. What a restore brings is committed with the first call, if the connector keeps the order
 * itself.
 */
public final class TransactionalCommitter<H> implements Committer<PreparedTransaction<H>> {

  private final String sinkName;
  private final TransactionalConnector<?, ?, H> connector;
  private final CommitEngine<H> engine;
  private final RestoredTransactions<H> restored;

  /** Settled before Flink asked for it. */
  private final IdentityHashMap<PreparedTransaction<H>, Settlement> settledAhead =
      new IdentityHashMap<>();

  public TransactionalCommitter(
      String sinkName,
      TransactionalConnector<?, ?, H> connector,
      SinkOptions options,
      ProtocolListener listener,
      RestoredTransactions<H> restored) {
    this.sinkName = sinkName;
    this.connector = connector;
    this.restored = restored;
    this.engine = new Engines(options, listener).commits(connector);
  }

  @Override
  public void commit(Collection<CommitRequest<PreparedTransaction<H>>> requests)
      throws IOException, InterruptedException {
    try {
      List<PreparedTransaction<H>> due = restored.take();
      if (!due.isEmpty()) {
        engine.commit(due, settledAhead::put);
      }
      commitNow(requests);
    } catch (InterruptedException asIs) {
      throw asIs;
    } catch (Exception error) {
      throw FlinkErrors.asIoException(error);
    }
  }

  private void commitNow(Collection<CommitRequest<PreparedTransaction<H>>> requests)
      throws Exception {
    List<PreparedTransaction<H>> transactions = new ArrayList<>(requests.size());
    IdentityHashMap<PreparedTransaction<H>, CommitRequest<PreparedTransaction<H>>> requestOf =
        new IdentityHashMap<>();
    for (CommitRequest<PreparedTransaction<H>> request : requests) {
      Settlement settled = settledAhead.remove(request.getCommittable());
      if (settled != null) {
        signal(request, settled);
      } else {
        transactions.add(request.getCommittable());
        requestOf.put(request.getCommittable(), request);
      }
    }
    if (!transactions.isEmpty()) {
      engine.commit(
          transactions,
          (transaction, settlement) ->
              signal(Objects.requireNonNull(requestOf.get(transaction)), settlement));
    }
  }

  private static <H> void signal(
      CommitRequest<PreparedTransaction<H>> request, Settlement settlement) {
    switch (settlement) {
      case COMMITTED -> {
        // Flink counts a request without a signal as committed.
      }
      case ALREADY_COMMITTED -> request.signalAlreadyCommitted();
      case QUARANTINED ->
          request.signalFailedWithKnownReason(
              new TransactionLostException("Quarantined " + request.getCommittable().id()));
    }
  }

  @Override
  public void close() {
    ConnectorInstance.closeQuietly(sinkName, connector);
  }
}
