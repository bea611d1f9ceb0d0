package dev.twophase.testkit.internal.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessageTypeInfo;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreCommitTopology;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreWriteTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.SinkTransformation;

/** Sinks with more than a writer and a committer, or with unusual habits. */
final class TopologySinks {

  private TopologySinks() {}

  /** Looks for itself in the job, by identity, before it writes. */
  static final class LooksForItself extends ShelfSink implements SupportsPreWriteTopology<String> {

    LooksForItself(String shelf) {
      super(shelf);
    }

    @Override
    public DataStream<String> addPreWriteTopology(DataStream<String> input) {
      var environment = input.getExecutionEnvironment();
      Shelf.of(shelf)
          .log(
              "found itself: "
                  + environment.getTransformations().stream()
                      .anyMatch(t -> t instanceof SinkTransformation<?, ?> s && s.getSink() == this)
                  + ", checkpointing: "
                  + environment.getCheckpointConfig().isCheckpointingEnabled());
      return input;
    }
  }

  /** Stamps each committable in an operator between writer and committer. */
  static final class Stamps extends ShelfSink implements SupportsPreCommitTopology<String, String> {

    private final boolean shuffles;

    Stamps(String shelf, boolean shuffles) {
      super(shelf);
      this.shuffles = shuffles;
    }

    @Override
    public DataStream<CommittableMessage<String>> addPreCommitTopology(
        DataStream<CommittableMessage<String>> committables) {
      DataStream<CommittableMessage<String>> stream =
          shuffles ? committables.rebalance() : committables;
      return stream
          .map(new Stamp(shelf))
          .returns(CommittableMessageTypeInfo.of(ShelfSink.Text::new));
    }

    @Override
    public SimpleVersionedSerializer<String> getWriteResultSerializer() {
      return new ShelfSink.Text();
    }
  }

  private record Stamp(String shelf)
      implements MapFunction<CommittableMessage<String>, CommittableMessage<String>> {
    @Override
    public CommittableMessage<String> map(CommittableMessage<String> message) {
      if (message instanceof CommittableWithLineage<String> committable) {
        Shelf.of(shelf).log("stamp " + committable.getCommittable());
      }
      return message;
    }
  }

  /** Tells a global committer what has been committed. */
  static final class Announces extends ShelfSink implements SupportsPostCommitTopology<String> {

    Announces(String shelf) {
      super(shelf);
    }

    @Override
    public void addPostCommitTopology(DataStream<CommittableMessage<String>> committables) {
      String name = shelf;
      LineSinkV2.addGlobalCommitter(committables, () -> new Announcer(name), ShelfSink.Text::new);
    }
  }

  /** Hands what has been committed to a second sink, which throws it away. */
  static final class HandsOn extends ShelfSink implements SupportsPostCommitTopology<String> {

    HandsOn(String shelf) {
      super(shelf);
    }

    @Override
    public void addPostCommitTopology(DataStream<CommittableMessage<String>> committables) {
      committables.map(Object::toString).returns(String.class).sinkTo(new DiscardingSink<>());
    }
  }

  private record Announcer(String shelf)
      implements org.apache.flink.api.connector.sink2.Committer<String> {
    @Override
    public void commit(java.util.Collection<CommitRequest<String>> requests) {
      requests.forEach(request -> Shelf.of(shelf).log("announce " + request.getCommittable()));
    }

    /** Flink never closes the committer of a global committer. */
    @Override
    public void close() {}
  }

  /** Writes from a thread of its own and waits for it on the mailbox; flushes by a timer. */
  static final class Asynchronous implements LineSinkV2<String> {

    private final String shelf;

    Asynchronous(String shelf) {
      this.shelf = shelf;
    }

    @Override
    public SinkWriter<String> createWriter(WriterInitContext context) {
      return new AsynchronousWriter(
          Shelf.of(shelf), context.getMailboxExecutor(), context.getProcessingTimeService());
    }
  }

  private static final class AsynchronousWriter implements SinkWriter<String> {

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Shelf shelf;
    private final MailboxExecutor mailbox;
    private final List<String> written = new ArrayList<>();

    AsynchronousWriter(Shelf shelf, MailboxExecutor mailbox, ProcessingTimeService timers) {
      this.shelf = shelf;
      this.mailbox = mailbox;
      timers.registerTimer(
          timers.getCurrentProcessingTime() + 100, time -> shelf.log("timer at " + time));
    }

    @Override
    public void write(String element, Context context) throws InterruptedException {
      if (element.equals("r0")) {
        mailbox.yield();
      }
      thread.execute(
          () ->
              mailbox.execute(
                  () -> {
                    shelf.log("written " + element);
                    written.add(element);
                  },
                  "written"));
      while (!written.contains(element)) {
        mailbox.yield();
      }
    }

    @Override
    public void flush(boolean endOfInput) {
      shelf.log("flush " + endOfInput);
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}
