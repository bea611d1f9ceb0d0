package dev.twophase.gallery.sink;

import dev.twophase.gallery.store.Naming;
import dev.twophase.gallery.store.Store;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Correct: a Sink V2 over the store; what differs in a mutant is one of its parts. */
public class StoreSink implements LineSink<TestRecord>, SupportsCommitter<Committable> {

  private static final long serialVersionUID = 1L;

  private final SinkSetup setup;

  public StoreSink(SinkSetup setup) {
    this.setup = setup;
  }

  @Override
  public final SinkWriter<TestRecord> createWriter(WriterInitContext context) {
    return writer(
        client(),
        Naming.of(context.getJobInfo().getJobId(), context.getTaskInfo()),
        context.getTaskInfo().getNumberOfParallelSubtasks());
  }

  @Override
  public final Committer<Committable> createCommitter(CommitterInitContext context) {
    return committer(client());
  }

  @Override
  public final SimpleVersionedSerializer<Committable> getCommittableSerializer() {
    return new CommittableSerializer();
  }

  private StoreClient client() {
    return setup.faults().around(StoreClient.class, Store.of(setup.namespace()));
  }

  StoreWriter writer(StoreClient client, Naming naming, int parallelism) {
    return new StoreWriter(client, naming, parallelism);
  }

  Committer<Committable> committer(StoreClient client) {
    return new StoreCommitter(client);
  }
}
