package dev.twophase.testkit.internal.operator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A small correct sink with committer and writer state, which logs every call. */
class ShelfSink
    implements LineSinkV2<String>, SupportsCommitter<String>, SupportsWriterState<String, String> {

  final String shelf;

  ShelfSink(String shelf) {
    this.shelf = shelf;
  }

  /** Called before each record is written. */
  void beforeWrite(String element) throws InterruptedException {}

  @Override
  public ShelfWriter createWriter(WriterInitContext context) {
    return new ShelfWriter(this, context, List.of());
  }

  @Override
  public ShelfWriter restoreWriter(WriterInitContext context, Collection<String> state) {
    return new ShelfWriter(this, context, state);
  }

  @Override
  public Committer<String> createCommitter(CommitterInitContext context) {
    Shelf.of(shelf).log("createCommitter");
    return new ShelfCommitter(shelf);
  }

  @Override
  public SimpleVersionedSerializer<String> getCommittableSerializer() {
    return new Text();
  }

  @Override
  public SimpleVersionedSerializer<String> getWriterStateSerializer() {
    return new Text();
  }

  static final class ShelfWriter
      implements CommittingSinkWriter<String, String>, StatefulSinkWriter<String, String> {
    private final ShelfSink sink;
    private final Shelf shelf;
    private final String identity;
    private List<String> records = new ArrayList<>();

    ShelfWriter(ShelfSink sink, WriterInitContext context, Collection<String> state) {
      this.sink = sink;
      this.shelf = Shelf.of(sink.shelf);
      var task = context.getTaskInfo();
      identity =
          task.getIndexOfThisSubtask()
              + "/"
              + task.getNumberOfParallelSubtasks()
              + "#"
              + task.getAttemptNumber();
      String restored =
          context.getRestoredCheckpointId().isPresent()
              ? " restored " + context.getRestoredCheckpointId().getAsLong() + " " + state
              : "";
      this.shelf.clocks.add(context.getProcessingTimeService().getCurrentProcessingTime());
      this.shelf.log("createWriter " + identity + restored);
    }

    @Override
    public void write(String element, Context context) throws InterruptedException {
      sink.beforeWrite(element);
      shelf.log("write " + element);
      records.add(element);
    }

    @Override
    public void flush(boolean endOfInput) {
      shelf.log("flush " + endOfInput);
    }

    @Override
    public Collection<String> prepareCommit() {
      shelf.log("prepareCommit");
      if (records.isEmpty()) {
        return List.of();
      }
      String id = shelf.nextId();
      shelf.prepare(id, records);
      records = new ArrayList<>();
      return List.of(id);
    }

    @Override
    public List<String> snapshotState(long checkpointId) {
      shelf.log("snapshotState " + checkpointId);
      return List.of(identity + "@" + checkpointId);
    }

    @Override
    public void close() {
      shelf.log("closeWriter");
    }
  }

  private record ShelfCommitter(String shelf) implements Committer<String> {
    @Override
    public void commit(Collection<CommitRequest<String>> requests) {
      for (CommitRequest<String> request : requests) {
        Shelf.of(shelf).log("commit " + request.getCommittable());
        Shelf.of(shelf).commit(request.getCommittable());
      }
    }

    @Override
    public void close() {
      Shelf.of(shelf).log("closeCommitter");
    }
  }

  static final class Text implements SimpleVersionedSerializer<String> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String deserialize(int version, byte[] bytes) throws IOException {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
