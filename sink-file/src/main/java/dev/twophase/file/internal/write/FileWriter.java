package dev.twophase.file.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.file.internal.publish.FileHandle;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.PreparedFile;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;

/** Writes and prepares transactions. Used by one thread. */
public final class FileWriter<IN> {

  /** Buckets come and go, with the date for instance; forgetting one costs a look at the disk. */
  private static final int MAX_KNOWN_BUCKETS = 100_000;

  private final Storage storage;
  private final IoPool pool;
  private final FileNames names;
  private final Encoder<IN> encoder;
  private final BucketAssigner<IN, String> assigner;
  private final Rolling rolling;
  private final BufferPool buffers;
  private final Counter bytesSent;
  private final BucketContext bucketContext = new BucketContext();
  private final Set<String> knownBuckets = new HashSet<>();

  public FileWriter(
      Storage storage,
      IoPool pool,
      FileNames names,
      Encoder<IN> encoder,
      BucketAssigner<IN, String> assigner,
      Rolling rolling,
      BufferPool buffers,
      Counter bytesSent) {
    this.storage = storage;
    this.pool = pool;
    this.names = names;
    this.encoder = encoder;
    this.assigner = assigner;
    this.rolling = rolling;
    this.buffers = buffers;
    this.bytesSent = bytesSent;
  }

  /** Touches nothing on disk: an empty transaction leaves no trace (W5). */
  public FileTransaction begin(TransactionId id) {
    return new FileTransaction(id, buffers);
  }

  /** Adds a record to the file of its bucket. */
  public void write(FileTransaction transaction, IN record, WriteContext context)
      throws IOException {
    boolean written = false;
    try {
      String bucket = assigner.getBucketId(record, bucketContext.of(context));
      PartFile file = transaction.file(bucket);
      if (file != null
          && rolling.byAge()
          && context.currentProcessingTime() - file.begun() >= rolling.maxAgeMillis()) {
        roll(transaction, file);
        file = null;
      }
      if (file == null) {
        file = begin(transaction, bucket, context);
      }
      encoder.encode(record, file);
      file.recordWritten();
      if (rolling.due(file)) {
        roll(transaction, file);
      }
      written = true;
    } finally {
      if (!written) {
        transaction.markFailed();
      }
    }
  }

  /** Makes everything durable; empty if there are no bytes to publish (W5). */
  public Optional<FileHandle> preCommit(FileTransaction transaction)
      throws IOException, InterruptedException {
    if (transaction.hasFailed()) {
      throw new IllegalStateException(
          "Transaction " + transaction.id() + " has a failed write and cannot be prepared");
    }
    List<PartFile> open = transaction.openFiles();
    Set<String> newBuckets = newBuckets(transaction);
    pool.forEach(open.size(), i -> complete(open.get(i), newBuckets));
    for (Future<?> completion : transaction.background()) {
      IoPool.await(completion);
    }
    transaction.releaseBuffers();
    List<PreparedFile> prepared = new ArrayList<>();
    for (PartFile file : transaction.allFiles()) {
      if (file.length() > 0) {
        bytesSent.inc(file.length());
        prepared.add(file.prepared());
      }
    }
    if (prepared.isEmpty()) {
      return Optional.empty();
    }
    String staging = FileNames.stagingDirectory(transaction.id().sinkName());
    try {
      storage.syncDirectory(staging);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot sync the directory " + storage.fullName(staging), error);
    }
    if (knownBuckets.size() > MAX_KNOWN_BUCKETS) {
      knownBuckets.clear();
    }
    knownBuckets.addAll(newBuckets);
    return Optional.of(names.handle(storage.base(), transaction.id(), prepared));
  }

  /** Removes all files of the transaction; harmless if they are gone. */
  public void abort(FileTransaction transaction) throws IOException, InterruptedException {
    transaction.releaseBuffers();
    IOException failed = null;
    for (Future<?> completion : transaction.background()) {
      try {
        IoPool.await(completion);
      } catch (IOException error) {
        failed = error;
      }
    }
    for (PartFile file : transaction.allFiles()) {
      try {
        file.discard();
      } catch (IOException error) {
        failed = error;
      }
    }
    if (failed != null) {
      throw StorageErrors.explain("Cannot abort " + transaction.id(), failed);
    }
  }

  private PartFile begin(FileTransaction transaction, String bucket, WriteContext context)
      throws IOException {
    if (!knownBuckets.contains(bucket)) {
      BucketNames.check(bucket);
      try {
        storage.checkDirectory(bucket);
      } catch (IOException error) {
        throw StorageErrors.explain("Cannot use the bucket " + storage.fullName(bucket), error);
      }
    }
    int part = transaction.nextPart();
    long begun = rolling.byAge() ? context.currentProcessingTime() : 0;
    String path = FileNames.staged(transaction.id(), part);
    PartFile file = new PartFile(transaction, storage, path, bucket, part, begun);
    transaction.add(file);
    return file;
  }

  private void roll(FileTransaction transaction, PartFile file) throws IOException {
    transaction.roll(file);
    transaction.addBackground(pool.start(ignored -> file.complete(), 0));
  }

  private Set<String> newBuckets(FileTransaction transaction) {
    Set<String> fresh = new HashSet<>();
    for (PartFile file : transaction.allFiles()) {
      if (file.length() > 0 && !knownBuckets.contains(file.bucket())) {
        fresh.add(file.bucket());
      }
    }
    return fresh;
  }

  /** Also makes the bucket, so that what would forbid that shows while records can be replayed. */
  private void complete(PartFile file, Set<String> newBuckets) throws IOException {
    if (newBuckets.contains(file.bucket())) {
      try {
        storage.makeDirectories(file.bucket());
      } catch (IOException error) {
        throw StorageErrors.explain(
            "Cannot make the bucket " + storage.fullName(file.bucket()), error);
      }
    }
    file.complete();
  }
}
