package dev.twophase.file.internal;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.PreflightContext;
import dev.twophase.PreparedTransaction;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.error.RewindDetectedException;
import dev.twophase.file.internal.publish.Commit;
import dev.twophase.file.internal.publish.FileHandle;
import dev.twophase.file.internal.write.FileTransaction;
import dev.twophase.file.internal.write.FileWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** The protocol's operations on files. */
public final class FileConnector<IN>
    extends TransactionalConnector<IN, FileTransaction, FileHandle> {

  private static final long serialVersionUID = 1L;

  private final FileSettings<IN> settings;
  private transient @Nullable OpenFiles<IN> files;
  // Not behind `files`, to save the hot path a look.
  private transient @Nullable FileWriter<IN> writer;

  public FileConnector(FileSettings<IN> settings) {
    this.settings = settings;
  }

  @Override
  public void open(ConnectorContext context) throws IOException {
    OpenFiles<IN> opened = new OpenFiles<>(settings, context);
    files = opened;
    if (context.role() == ConnectorContext.Role.WRITER) {
      writer = opened.newWriter(context);
    }
  }

  @Override
  public void preflight(PreflightContext context) throws IOException {
    files().preflight();
  }

  @Override
  public FileTransaction begin(TransactionId id) throws IOException {
    files().start(id);
    return writer().begin(id);
  }

  @Override
  public void write(FileTransaction transaction, IN record, WriteContext context)
      throws IOException {
    writer().write(transaction, record, context);
  }

  @Override
  public Optional<FileHandle> preCommit(FileTransaction transaction)
      throws IOException, InterruptedException {
    files().checkOwner();
    Optional<FileHandle> handle = writer().preCommit(transaction);
    if (handle.isEmpty()) {
      return handle;
    }
    files().branchOff(transaction.id());
    OptionalLong line = files().line();
    return line.isPresent() ? handle.map(prepared -> prepared.ofLine(line.getAsLong())) : handle;
  }

  @Override
  public boolean coversEmptyIntervals() {
    return settings.manifests();
  }

  @Override
  public void watermark(long timestamp) {
    writer().watermark(timestamp);
  }

  @Override
  public void endOfInput() {
    writer().endOfInput();
  }

  @Override
  public CommitOutcome commit(TransactionId id, FileHandle handle) throws Exception {
    if (handle.manifest().isPresent()) {
      throw new UnsupportedOperationException(
          "With manifests, commitAll alone is told the checkpoint: "
              + handle.manifest().get().name());
    }
    return files().commit(List.of(new Commit(id, handle, 0))).get(0);
  }

  @Override
  public List<CommitOutcome> commitAll(List<PreparedTransaction<FileHandle>> transactions)
      throws Exception {
    return files()
        .commit(
            transactions.stream()
                .map(
                    prepared ->
                        new Commit(
                            prepared.id(),
                            prepared.handle().orElseThrow(),
                            prepared.checkpointId()))
                .toList());
  }

  @Override
  public void abort(FileTransaction transaction) throws IOException, InterruptedException {
    writer().abort(transaction);
  }

  @Override
  public Iterable<Unfinished> unfinished() throws IOException {
    if (writer != null) {
      files().claim();
    }
    return files().unfinished();
  }

  @Override
  public void abort(Unfinished transaction) throws IOException {
    files().abort(transaction.id());
  }

  @Override
  public Optional<TransactionId> committedSince(long checkpointId)
      throws IOException, RewindDetectedException {
    return files().committedSince(checkpointId);
  }

  @Override
  public OptionalLong line() {
    return files().line();
  }

  @Override
  public Optional<String> rewindRemedy(long checkpointId) {
    return Optional.of(files().rewindRemedy(checkpointId));
  }

  @Override
  public SimpleVersionedSerializer<FileHandle> handleSerializer() {
    return FileHandle.serializer();
  }

  @Override
  public void close() throws IOException {
    OpenFiles<IN> opened = files;
    if (opened != null) {
      opened.close();
    }
  }

  private OpenFiles<IN> files() {
    OpenFiles<IN> opened = files;
    if (opened == null) {
      throw new IllegalStateException("The connector has not been opened");
    }
    return opened;
  }

  private FileWriter<IN> writer() {
    FileWriter<IN> opened = writer;
    if (opened == null) {
      throw new IllegalStateException("The connector has not been opened for writing");
    }
    return opened;
  }
}
