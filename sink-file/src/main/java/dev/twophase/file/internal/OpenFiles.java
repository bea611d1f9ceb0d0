package dev.twophase.file.internal;

import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.Publisher;
import dev.twophase.file.internal.storage.IoPool;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageErrors;
import dev.twophase.file.internal.write.BufferPool;
import dev.twophase.file.internal.write.FileWriter;
import dev.twophase.file.internal.write.ManifestWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What an opened connector holds: the storage, the threads, and the view of one sink's files. */
final class OpenFiles<IN> implements AutoCloseable {

  private final FileSettings<IN> settings;
  private final String sinkName;
  private final String staging;
  private final Storage storage;
  private final IoPool pool;
  private final Publisher publisher;
  private final Optional<OwnerMarks> owner;

  OpenFiles(FileSettings<IN> settings, ConnectorContext context) throws IOException {
    this.settings = settings;
    this.sinkName = context.sinkName();
    this.staging = FileNames.stagingDirectory(sinkName);
    this.storage = settings.storageFactory().open(settings.directory());
    this.pool = new IoPool(settings.ioThreads(), "file-sink-" + sinkName + "-" + context.subtask());
    this.publisher = new Publisher(storage, pool);
    this.owner = context.jobId().map(job -> new OwnerMarks(storage, sinkName, job));
  }

  Publisher publisher() {
    return publisher;
  }

  /** A writer, with a durable directory for its staged files, under a name that is its own. */
  FileWriter<IN> newWriter(ConnectorContext context) throws IOException {
    prepareStaging();
    if (owner.isPresent()) {
      owner.get().claim();
    }
    return new FileWriter<>(
        storage,
        pool,
        settings.names(),
        settings.format(),
        settings.bucketAssigner(),
        settings.rolling(),
        new BufferPool(settings.bufferBytes()),
        settings.manifests()
            ? Optional.of(new ManifestWriter(storage, settings.names(), context.parallelism()))
            : Optional.empty(),
        context.bytesSent());
  }

  /** Refuses to go on under a name that another job has taken over (R6). */
  void checkOwner() throws IOException {
    if (owner.isPresent()) {
      owner.get().check();
    }
  }

  void preflight(PreflightContext context) {
    try {
      storage.probe(staging);
    } catch (IOException error) {
      throw context.refuse(
          "directory",
          settings.directory(),
          StorageErrors.describe("Files cannot be made and linked there", error));
    }
  }

  /** Each transaction once, however many files it has. */
  List<Unfinished> unfinished() throws IOException {
    Set<TransactionId> found = new LinkedHashSet<>();
    for (String name : stagedNames()) {
      FileNames.transactionOfStaged(name, sinkName).ifPresent(found::add);
    }
    return found.stream().map(Unfinished::of).toList();
  }

  /** Removes the staged files of this transaction and no other (A1). */
  void abort(TransactionId id) throws IOException {
    for (String name : stagedNames()) {
      if (FileNames.transactionOfStaged(name, sinkName).filter(id::equals).isPresent()) {
        String path = staging + "/" + name;
        try {
          storage.delete(path);
        } catch (IOException error) {
          throw StorageErrors.explain("Cannot remove " + storage.fullName(path), error);
        }
      }
    }
  }

  Optional<TransactionId> committedSince(long checkpointId) throws IOException {
    List<TransactionId> proof = new ArrayList<>(1);
    storage.anyVisibleName(
        name -> {
          Optional<TransactionId> id =
              FileNames.transactionOfPublished(name, sinkName)
                  .filter(published -> published.since() >= checkpointId);
          id.ifPresent(proof::add);
          return id.isPresent();
        });
    return proof.stream().findFirst();
  }

  @Override
  public void close() throws IOException {
    try (storage) {
      pool.close();
    }
  }

  private List<String> stagedNames() throws IOException {
    try {
      return storage.names(staging);
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot list " + storage.fullName(staging), error);
    }
  }

  private void prepareStaging() throws IOException {
    try {
      storage.makeDirectories(staging);
      storage.syncDirectory(staging);
      storage.syncDirectory(FileNames.HIDDEN);
      storage.syncDirectory("");
    } catch (IOException error) {
      throw StorageErrors.explain("Cannot make " + storage.fullName(staging), error);
    }
  }
}
