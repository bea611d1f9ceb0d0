package dev.twophase.testkit.internal.faults;

import java.io.IOException;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream.Committer;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** See {@link FaultyFileSystem}. */
final class FaultyRecoverableWriter implements RecoverableWriter {

  private final RecoverableWriter target;
  private final FaultyPaths paths;
  private final GatedCalls calls = GatedCalls.ofAttempt();

  FaultyRecoverableWriter(RecoverableWriter target, FaultyPaths paths) {
    this.target = target;
    this.paths = paths;
  }

  @Override
  public RecoverableFsDataOutputStream open(Path path) throws IOException {
    return calls.call(
        "RecoverableWriter.open", () -> new FaultyOutput(target.open(paths.real(path))));
  }

  @Override
  public RecoverableFsDataOutputStream recover(ResumeRecoverable resumable) throws IOException {
    return calls.call(
        "RecoverableWriter.recover", () -> new FaultyOutput(target.recover(resumable)));
  }

  @Override
  public boolean requiresCleanupOfRecoverableState() {
    return target.requiresCleanupOfRecoverableState();
  }

  @Override
  public boolean cleanupRecoverableState(ResumeRecoverable resumable) throws IOException {
    return calls.call(
        "RecoverableWriter.cleanupRecoverableState",
        () -> target.cleanupRecoverableState(resumable));
  }

  @Override
  public Committer recoverForCommit(CommitRecoverable resumable) throws IOException {
    return calls.call(
        "RecoverableWriter.recoverForCommit",
        () -> new FaultyOutput.Commit(target.recoverForCommit(resumable)));
  }

  @Override
  public SimpleVersionedSerializer<CommitRecoverable> getCommitRecoverableSerializer() {
    return target.getCommitRecoverableSerializer();
  }

  @Override
  public SimpleVersionedSerializer<ResumeRecoverable> getResumeRecoverableSerializer() {
    return target.getResumeRecoverableSerializer();
  }

  @Override
  public boolean supportsResume() {
    return target.supportsResume();
  }
}
