package dev.twophase.file.internal.write;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.file.internal.bucket.BucketContext;
import dev.twophase.file.internal.bucket.BucketNames;
import dev.twophase.file.internal.bucket.LateRecordException;
import dev.twophase.file.internal.bucket.OpenBuckets;
import dev.twophase.file.internal.bucket.RecordPlace;
import dev.twophase.file.internal.publish.FileHandle;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.PreparedFile;
import dev.twophase.file.internal.publish.PreparedManifest;
import dev.twophase.file.internal.publish.PublishedFiles;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;

/** Writes and prepares transactions. Used by one thread. */
public final class FileWriter<IN> {

  /** Buckets come and go, with the date for instance; forgetting one costs a look at the disk. */
  private static final int MAX_KNOWN_BUCKETS = 100_000;

  /**
   * Each is a connection and threads on every DataNode of its block, of which 4,096 are allowed
   * unless configured: all subtasks together leave most of them to others.
   */
  private static final int STARTED_BY_ALL = 1_024;

  private static final int STARTED_BY_ONE = 128;

  private final Storage storage;
  private final IoPool pool;
  private final FileNames names;
  private final FileFormat<IN> format;
  private final BucketAssigner<IN, String> assigner;
  private final Rolling rolling;
  private final boolean rollsByAge;
  private final BufferPool buffers;
  private final Optional<ManifestWriter> manifests;
  private final Optional<OpenBuckets> openBuckets;
  private final Counter bytesSent;
  private final int mostStarted;
  private final Utf8 utf8 = new Utf8();
  private final BucketContext bucketContext = new BucketContext();

  /**
   * Those looked at since the attempt began, or about to be: what is wrong with one shows at the
   * latest when its transaction is prepared, and then nothing is written any more.
   */
  private final Set<String> knownBuckets = new HashSet<>();

  /**
   * @param parallelism how many such writers there are
   */
  public FileWriter(
      Storage storage,
      IoPool pool,
      FileNames names,
      FileFormat<IN> format,
      BucketAssigner<IN, String> assigner,
      Rolling rolling,
      BufferPool buffers,
      Optional<ManifestWriter> manifests,
      Optional<OpenBuckets> openBuckets,
      Counter bytesSent,
      int parallelism) {
    this.storage = storage;
    this.pool = pool;
    this.names = names;
    this.format = format;
    this.assigner = assigner;
    this.rolling = rolling;
    this.rollsByAge = rolling.byAge();
    this.buffers = buffers;
    this.manifests = manifests;
    this.openBuckets = openBuckets;
    this.bytesSent = bytesSent;
    this.mostStarted = Math.min(STARTED_BY_ONE, STARTED_BY_ALL / parallelism);
  }

  /** Touches nothing on disk: an empty transaction leaves no trace (W5). */
  public FileTransaction begin(TransactionId id) {
    return new FileTransaction(id, buffers, utf8, pool, mostStarted);
  }

  /** Adds a record to the file of its bucket. */
  public void write(FileTransaction transaction, IN record, WriteContext context)
      throws IOException {
    boolean written = false;
    try {
      String bucket = assigner.getBucketId(record, bucketContext.of(context));
      PartFile file = transaction.file(bucket);
      if (file != null
          && rollsByAge
          && context.currentProcessingTime() - file.begun() >= rolling.maxAgeMillis()) {
        roll(transaction, file);
        file = null;
      }
      if (file == null) {
        file = begin(transaction, bucket, context);
      }
      contentOf(file).add(record);
      if (file.recordWritten()) {
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
    // First all writes, so that one sync of the disk's journal can cover many files.
    pool.forEach(open.size(), i -> open.get(i).finishApart());
    // All names are there by now, and one sync of the journal can cover both.
    boolean namesToo = manifests.isEmpty() && hasContent(transaction);
    pool.forEach(
        open.size() + (namesToo ? 1 : 0),
        i -> {
          if (i < open.size()) {
            open.get(i).complete();
          } else {
            syncStaging(transaction);
          }
        });
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
    if (prepared.isEmpty() && manifests.isEmpty()) {
      return Optional.empty();
    }
    Optional<PreparedManifest> manifest = Optional.empty();
    if (manifests.isPresent()) {
      manifest =
          Optional.of(manifests.get().stage(transaction.id(), transaction.nextPart(), prepared));
    }
    if (!namesToo) {
      syncStaging(transaction);
    }
    if (knownBuckets.size() > MAX_KNOWN_BUCKETS) {
      knownBuckets.clear();
    }
    return Optional.of(names.handle(storage.base(), transaction.id(), prepared, manifest));
  }

  private static boolean hasContent(FileTransaction transaction) {
    return transaction.allFiles().stream().anyMatch(file -> file.length() > 0);
  }

  private void syncStaging(FileTransaction transaction) throws IOException {
    String staging = FileNames.stagingDirectory(transaction.id().sinkName());
    try {
      storage.syncDirectory(staging);
      if (openBuckets.isPresent()) {
        openBuckets.get().sync();
      }
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot sync the directory " + storage.fullName(staging), error);
    }
  }

  /** Event time has advanced. */
  public void watermark(long timestamp) {
    openBuckets.ifPresent(buckets -> buckets.watermark(timestamp));
  }

  /** Marks the manifest of the next transaction as the last. */
  public void endOfInput() {
    manifests.ifPresent(ManifestWriter::endOfInput);
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

  /** Only {@link #begin} makes contents, of this writer's type. */
  @SuppressWarnings("unchecked")
  private static <IN> FileFormat.Content<IN> contentOf(PartFile file) {
    return (FileFormat.Content<IN>) file.content();
  }

  private PartFile begin(FileTransaction transaction, String bucket, WriteContext context)
      throws IOException {
    boolean known = knownBuckets.contains(bucket);
    try {
      check(bucket, known);
    } catch (IllegalArgumentException refused) {
      throw new RecordPlace(transaction.id(), transaction.records() + 1, context.timestamp())
          .refused(bucket, refused);
    }
    int part = transaction.nextPart();
    String path = FileNames.staged(transaction.id(), part);
    Future<StagedOutput> creation =
        pool.start(
            () -> {
              if (!known) {
                prepareBucket(bucket, transaction.id());
              }
              return create(path);
            });
    long begun = rollsByAge ? context.currentProcessingTime() : 0;
    PartFile file =
        new PartFile(transaction, storage, path, creation, bucket, part, begun, rolling);
    transaction.add(file);
    knownBuckets.add(bucket);
    file.begin(format);
    return file;
  }

  /** What can be told of a record's bucket without a look at the disk. */
  private void check(String bucket, boolean known) throws LateRecordException {
    if (!known) {
      BucketNames.check(bucket, manifests.isPresent());
      openBuckets.ifPresent(buckets -> buckets.checkName(bucket));
    }
    if (openBuckets.isPresent()) {
      openBuckets.get().checkInTime(bucket);
    }
  }

  private void roll(FileTransaction transaction, PartFile file) throws IOException {
    file.finish();
    transaction.roll(file);
    transaction.addBackground(
        pool.start(
            () -> {
              file.complete();
              return file;
            }));
  }

  /** Early, so that what would forbid a commit shows while the records can still be replayed. */
  private void prepareBucket(String bucket, TransactionId id) throws IOException {
    try {
      storage.checkDirectory(bucket);
      new PublishedFiles(storage, id.sinkName()).checkBucket(bucket);
      storage.makeDirectories(bucket);
      if (openBuckets.isPresent()) {
        openBuckets.get().begin(bucket, id);
      }
    } catch (LateRecordException late) {
      throw late;
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot use the bucket " + storage.fullName(bucket), error);
    }
  }

  private StagedOutput create(String path) throws IOException {
    try {
      return storage.create(path);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot create " + storage.fullName(path), error);
    }
  }
}
