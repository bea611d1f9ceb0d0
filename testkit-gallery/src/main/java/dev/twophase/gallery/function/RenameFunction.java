package dev.twophase.gallery.function;

import dev.twophase.gallery.store.Naming;
import dev.twophase.gallery.store.Store;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Correct: a plain sink function that stages what it writes and renames it when the checkpoint is
 * complete. To rename twice is harmless, because an id is never used again. What a crashed attempt
 * leaves behind, somebody else must collect.
 */
public class RenameFunction extends LineSinkFunction<TestRecord>
    implements CheckpointedFunction, CheckpointListener {

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(RenameFunction.class);

  private final SinkSetup setup;
  private transient int begun;
  private transient @Nullable String current;

  @SuppressWarnings("NullAway.Init") // by initializeState
  private transient NavigableMap<Long, String> pending;

  @SuppressWarnings("NullAway.Init") // by initializeState
  private transient StoreClient client;

  @SuppressWarnings("NullAway.Init") // by initializeState
  private transient Naming naming;

  @SuppressWarnings("NullAway.Init") // by initializeState
  private transient ListState<String> state;

  public RenameFunction(SinkSetup setup) {
    this.setup = setup;
  }

  final StoreClient client() {
    return client;
  }

  final Naming naming() {
    return naming;
  }

  /** What waits for its commit, by checkpoint. */
  final NavigableMap<Long, String> pending() {
    return pending;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    RuntimeContext runtime = getRuntimeContext();
    client = setup.faults().around(StoreClient.class, Store.of(setup.namespace()));
    naming = Naming.of(runtime.getJobInfo().getJobId(), runtime.getTaskInfo());
    pending = new TreeMap<>();
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("pending", StringSerializer.INSTANCE));
    restore(state.get());
  }

  /** Commits what was restored; one element holds the pending ids of one former subtask. */
  void restore(Iterable<String> elements) throws IOException {
    for (String element : elements) {
      for (String id : element.split(" ", -1)) {
        client.rename(id);
      }
    }
  }

  String name(int number) {
    return naming.id(number);
  }

  @Override
  public void invoke(TestRecord value, Context context) throws Exception {
    write(value);
  }

  final void write(TestRecord value) throws IOException {
    String id = current;
    if (id == null) {
      id = name(begun++);
      client.begin(id);
      current = id;
    }
    client.write(id, value);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    String prepared = current;
    if (prepared != null) {
      pending.put(context.getCheckpointId(), prepared);
      current = next(prepared);
    }
    state.clear();
    if (!pending.isEmpty()) {
      state.add(String.join(" ", pending.values()));
    }
  }

  /** What to write to after a snapshot; null to begin something new. */
  @Nullable String next(String prepared) {
    return null;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    commitAll(pending.headMap(checkpointId, true));
  }

  /** Commits in order, and forgets what is committed. */
  void commitAll(Map<Long, String> due) throws IOException {
    var each = due.values().iterator();
    while (each.hasNext()) {
      commit(each.next());
      each.remove();
    }
  }

  final void commit(String id) throws IOException {
    client.rename(id);
    if (id.equals(current)) {
      current = null;
    }
  }

  @Override
  public void close() throws Exception {
    String abandoned = current;
    if (abandoned != null) {
      try {
        client.abort(abandoned);
      } catch (IOException e) {
        LOG.warn("Could not abort {}", abandoned, e);
      }
    }
  }
}
