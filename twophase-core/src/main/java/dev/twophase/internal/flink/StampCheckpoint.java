package dev.twophase.internal.flink;

import dev.twophase.PreparedTransaction;
import dev.twophase.internal.flink.setup.JobSetup;
import dev.twophase.internal.state.PreparedTransactionSerializer;
import dev.twophase.policy.SinkOptions;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The step between writer and committer of a {@code TransactionalSink}: writes the checkpoint's id
 * into each handle, which neither {@code prepareCommit} nor {@code commit} is told, and counts what
 * waits for its commit (S3), which only an operator that hears of completed checkpoints can know.
 */
public final class StampCheckpoint<H>
    extends ProcessFunction<
        CommittableMessage<PreparedTransaction<H>>, CommittableMessage<PreparedTransaction<H>>>
    implements CheckpointListener {

  private static final long serialVersionUID = 1L;

  private final String sinkName;
  private final SinkOptions options;
  private final HandleSerializerSource<H> handles;
  private final JobSetup setup;
  private final @Nullable Duration lifetime;

  private transient @Nullable PendingTransactions pending;
  private transient @Nullable PreparedTransactionSerializer<H> serializer;

  public StampCheckpoint(
      String sinkName,
      SinkOptions options,
      JobSetup setup,
      @Nullable Duration lifetime,
      HandleSerializerSource<H> handles) {
    this.sinkName = sinkName;
    this.options = options;
    this.setup = setup;
    this.lifetime = lifetime;
    this.handles = handles;
  }

  @Override
  public void open(OpenContext context) {
    serializer = new PreparedTransactionSerializer<>(handles.get());
    pending =
        PendingTransactions.registered(
            sinkName,
            options,
            setup,
            Optional.ofNullable(lifetime),
            getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement(
      CommittableMessage<PreparedTransaction<H>> message,
      Context context,
      Collector<CommittableMessage<PreparedTransaction<H>>> out)
      throws Exception {
    if (message instanceof CommittableWithLineage<PreparedTransaction<H>> committable) {
      long checkpoint = LineSink.checkpointOf(committable);
      CommittableWithLineage<PreparedTransaction<H>> stamped =
          committable.map(transaction -> transaction.stamped(checkpoint));
      if (!setup.batch() && pending != null && serializer != null) {
        PreparedTransaction<H> transaction = stamped.getCommittable();
        pending.add(transaction, checkpoint, serializer.size(transaction));
      }
      out.collect(stamped);
    } else {
      out.collect(message);
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    if (pending != null) {
      pending.completed(checkpointId);
    }
  }
}
