package dev.twophase.gallery.sink;

import dev.twophase.gallery.store.StoreClient;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.connector.sink2.Committer;

/** Commits in the order given and stops at the first that fails; Flink then restarts the task. */
class StoreCommitter implements Committer<Committable> {

  private final StoreClient client;

  StoreCommitter(StoreClient client) {
    this.client = client;
  }

  @Override
  public void commit(Collection<CommitRequest<Committable>> requests)
      throws IOException, InterruptedException {
    for (CommitRequest<Committable> request : requests) {
      settle(request.getCommittable());
    }
  }

  final void settle(Committable committable) throws IOException {
    if (!committable.id().isEmpty()) {
      commit(committable);
    }
    for (String id : committable.lingering()) {
      client.abort(id);
    }
  }

  void commit(Committable committable) throws IOException {
    client.commit(committable.id(), committable.token());
  }

  @Override
  public void close() {}
}
