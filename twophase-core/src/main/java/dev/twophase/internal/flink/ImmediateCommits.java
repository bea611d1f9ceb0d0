package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionalConnector;
import dev.twophase.internal.engine.CommitEngine;
import dev.twophase.internal.engine.WriterEngine;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.jspecify.annotations.Nullable;

/**
 * The weaker guarantees on a transactional connector. AT_LEAST_ONCE commits everything written when
 * a checkpoint is taken, so that a replay may duplicate but nothing is lost; where there are no
 * checkpoints, and under NONE, an interval takes their place.
 */
public final class ImmediateCommits<IN, T, H> implements AutoCloseable {

  private final WriterEngine<IN, T, H> writer;
  private final CommitEngine<H> commits;
  private final TransactionalConnector<?, ?, H> committing;
  private final DeliveryGuarantee guarantee;
  private @Nullable ScheduledFuture<?> timer;

  public ImmediateCommits(
      WriterEngine<IN, T, H> writer,
      CommitEngine<H> commits,
      TransactionalConnector<?, ?, H> committing,
      DeliveryGuarantee guarantee) {
    this.writer = writer;
    this.commits = commits;
    this.committing = committing;
    this.guarantee = guarantee;
  }

  /** Commits at this interval of processing time. */
  public void every(long intervalMillis, ProcessingTimeService time) {
    timer =
        time.registerTimer(
            time.getCurrentProcessingTime() + intervalMillis,
            now -> {
              if (writer.isOpen()) {
                commitNow();
              }
              every(intervalMillis, time);
            });
  }

  /** Called when a checkpoint is about to be taken, and at end of input. */
  public void flush(boolean endOfInput) throws Exception {
    if (endOfInput || guarantee == DeliveryGuarantee.AT_LEAST_ONCE) {
      commitNow();
    }
  }

  private void commitNow() throws Exception {
    Optional<PreparedTransaction<H>> prepared = writer.prepare();
    // Several transactions may now fall between two checkpoints: only a fresh nonce tells them
    // apart.
    writer.renew(UUID.randomUUID());
    if (prepared.isPresent()) {
      commits.commit(List.of(prepared.get()), (transaction, settlement) -> {});
    }
  }

  @Override
  public void close() throws Exception {
    if (timer != null) {
      timer.cancel(false);
    }
    committing.close();
  }
}
