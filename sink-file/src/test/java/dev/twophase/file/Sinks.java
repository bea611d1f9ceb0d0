package dev.twophase.file;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.ConnectorContext.Role;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import dev.twophase.file.internal.storage.StorageFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.commons.io.FilenameUtils;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;
import org.apache.flink.util.InstantiationUtil;

/** Drives a file connector through its life, as an adapter does, and looks at the disk. */
public final class Sinks {

  private Sinks() {}

  /** Buckets by what stands before the first colon, if there is one. */
  public static final class BeforeColon implements BucketAssigner<String, String> {
    @Override
    public String getBucketId(String record, Context context) {
      int colon = record.indexOf(':');
      return colon < 0 ? "" : record.substring(0, colon);
    }

    @Override
    public SimpleVersionedStringSerializer getSerializer() {
      return SimpleVersionedStringSerializer.INSTANCE;
    }
  }

  /** A clock that a test sets. */
  public static final class Clock implements WriteContext {
    public long now;

    @Override
    public Long timestamp() {
      return null;
    }

    @Override
    public long currentWatermark() {
      return Long.MIN_VALUE;
    }

    @Override
    public long currentProcessingTime() {
      return now;
    }
  }

  public record Context(
      Role role,
      String sinkName,
      int subtask,
      int parallelism,
      UUID attemptNonce,
      Optional<String> jobId,
      Counter bytes)
      implements ConnectorContext {

    @Override
    public DeliveryGuarantee guarantee() {
      return DeliveryGuarantee.EXACTLY_ONCE;
    }

    @Override
    public MetricGroup metrics() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public Counter bytesSent() {
      return bytes;
    }

    @Override
    public ClassLoader userClassLoader() {
      return Sinks.class.getClassLoader();
    }
  }

  public record Preflight(String sinkName) implements PreflightContext {
    @Override
    public DeliveryGuarantee guarantee() {
      return DeliveryGuarantee.EXACTLY_ONCE;
    }

    @Override
    public int parallelism() {
      return 1;
    }

    @Override
    public boolean batch() {
      return false;
    }

    @Override
    public Optional<Duration> checkpointInterval() {
      return Optional.of(Duration.ofSeconds(1));
    }

    @Override
    public Duration restartAllowance() {
      return Duration.ofSeconds(60);
    }
  }

  /** Handle of a prepared transaction, as bytes: what survives a crash and nothing else. */
  public record Prepared(TransactionId id, int version, byte[] bytes) {}

  /** One instance of the connector, in the role it was opened for. */
  public static final class Instance<T, H> implements AutoCloseable {
    public final Clock clock = new Clock();
    public final TransactionalConnector<String, T, H> connector;
    private final Context context;

    private Instance(TransactionalConnector<String, T, H> configured, Context context)
        throws Exception {
      this.context = context;
      this.connector = InstantiationUtil.clone(configured);
      connector.open(context);
    }

    public long bytesSent() {
      return context.bytes().getCount();
    }

    public TransactionId id(long since) {
      return new TransactionId(
          context.sinkName(), context.subtask(), since, context.attemptNonce());
    }

    public T begin(long since, String... records) throws Exception {
      T transaction = connector.begin(id(since));
      for (String record : records) {
        connector.write(transaction, record, clock);
      }
      return transaction;
    }

    public Prepared prepare(long since, String... records) throws Exception {
      return preCommit(since, begin(since, records)).orElseThrow();
    }

    public Optional<Prepared> preCommit(long since, T transaction) throws Exception {
      Optional<H> handle = connector.preCommit(transaction);
      if (handle.isEmpty()) {
        return Optional.empty();
      }
      int version = connector.handleSerializer().getVersion();
      byte[] bytes = connector.handleSerializer().serialize(handle.get());
      return Optional.of(new Prepared(id(since), version, bytes));
    }

    /** As part of a checkpoint, which the connector is told. */
    public CommitOutcome commit(Prepared prepared, long checkpoint) throws Exception {
      H handle = connector.handleSerializer().deserialize(prepared.version(), prepared.bytes());
      return connector
          .commitAll(
              List.of(
                  new PreparedTransaction<>(
                      prepared.id(), checkpoint, 0, 0, 1, Optional.of(handle), List.of())))
          .get(0);
    }

    public CommitOutcome commit(Prepared prepared) throws Exception {
      return connector.commit(
          prepared.id(),
          connector.handleSerializer().deserialize(prepared.version(), prepared.bytes()));
    }

    @Override
    public void close() throws Exception {
      connector.close();
    }
  }

  public static Instance<?, ?> writer(TransactionalConnector<String, ?, ?> connector, String name)
      throws Exception {
    return writer(connector, name, 0);
  }

  public static Instance<?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name, int subtask) throws Exception {
    return new Instance<>(connector, context(Role.WRITER, name, subtask, Optional.empty()));
  }

  public static Instance<?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name, int subtask, int parallelism)
      throws Exception {
    return new Instance<>(
        connector, context(Role.WRITER, name, subtask, parallelism, Optional.empty()));
  }

  public static Instance<?, ?> writerOfJob(
      String job, TransactionalConnector<String, ?, ?> connector, String name, int subtask)
      throws Exception {
    return new Instance<>(connector, context(Role.WRITER, name, subtask, Optional.of(job)));
  }

  private static Context context(Role role, String name, int subtask, Optional<String> job) {
    // Of two, or more if the index says so.
    return context(role, name, subtask, Math.max(2, subtask + 1), job);
  }

  private static Context context(
      Role role, String name, int subtask, int parallelism, Optional<String> job) {
    return new Context(
        role, name, subtask, parallelism, UUID.randomUUID(), job, new SimpleCounter());
  }

  public static Instance<?, ?> committer(
      TransactionalConnector<String, ?, ?> connector, String name) throws Exception {
    return new Instance<>(connector, context(Role.COMMITTER, name, 0, Optional.empty()));
  }

  /** A sink on a storage of the test's choice. */
  public static <T> TransactionalFileSink<T> on(
      StorageFactory storage, TransactionalFileSink<T> sink) {
    return sink.storageFactory(storage);
  }

  /** Visible files, relative to the directory. */
  public static List<Path> visible(Path directory) {
    return files(directory).stream().filter(path -> !isHidden(path)).toList();
  }

  /** What is not published, relative to the directory. */
  public static List<Path> hidden(Path directory) {
    return files(directory).stream().filter(Sinks::isHidden).toList();
  }

  /** All visible lines, sorted. */
  public static List<String> lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : visible(directory)) {
      lines.addAll(Files.readAllLines(directory.resolve(file)));
    }
    return lines.stream().sorted().toList();
  }

  private static List<Path> files(Path directory) {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              files.add(directory.relativize(file));
              return FileVisitResult.CONTINUE;
            }

            /** A job may be at work. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException error)
                throws IOException {
              if (error instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw error;
            }
          });
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return files.stream().sorted().toList();
  }

  private static boolean isHidden(Path path) {
    return FilenameUtils.getName(path.toString()).startsWith(".")
        || path.getName(0).toString().startsWith(".");
  }
}
