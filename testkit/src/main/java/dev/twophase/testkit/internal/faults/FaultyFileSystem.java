package dev.twophase.testkit.internal.faults;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableWriter;

/**
 * Puts the gate in front of every call of one of Flink's file systems, of its recoverable writers,
 * and of the streams of both. A stream of a dead attempt is neither closed nor flushed.
 */
public final class FaultyFileSystem extends LineFileSystem {

  private final FileSystem target;
  private final FaultyPaths paths;
  private final GatedCalls calls;

  FaultyFileSystem(FileSystem target, FaultyPaths paths, GatedCalls calls) {
    super(target);
    this.target = target;
    this.paths = paths;
    this.calls = calls;
  }

  /** See {@code Faults.aroundFileSystem}. */
  public static FileSystem around(FileSystem fileSystem) {
    return new FaultyFileSystem(fileSystem, FaultyPaths.SAME, GatedCalls.ofAttempt());
  }

  @Override
  public Path getWorkingDirectory() {
    return paths.seen(target.getWorkingDirectory());
  }

  @Override
  public Path getHomeDirectory() {
    return paths.seen(target.getHomeDirectory());
  }

  @Override
  public URI getUri() {
    return paths.seen(target.getUri());
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return calls.call(
        "FileSystem.getFileStatus", () -> paths.seen(target.getFileStatus(paths.real(path))));
  }

  @Override
  public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length)
      throws IOException {
    return calls.call(
        "FileSystem.getFileBlockLocations",
        () -> target.getFileBlockLocations(paths.real(file), start, length));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return calls.call("FileSystem.open", () -> target.open(paths.real(path), bufferSize));
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    return calls.call("FileSystem.open", () -> target.open(paths.real(path)));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus[] found =
        calls.call("FileSystem.listStatus", () -> target.listStatus(paths.real(path)));
    for (int i = 0; found != null && i < found.length; i++) {
      found[i] = paths.seen(found[i]);
    }
    return found;
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return calls.call("FileSystem.exists", () -> target.exists(paths.real(path)));
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    return calls.call("FileSystem.delete", () -> target.delete(paths.real(path), recursive));
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    return calls.call("FileSystem.mkdirs", () -> target.mkdirs(paths.real(path)));
  }

  @Override
  public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
    return calls.call(
        "FileSystem.create",
        () -> new FaultyOutput.Plain("FSDataOutputStream", target.create(paths.real(path), mode)));
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    return calls.call("FileSystem.rename", () -> target.rename(paths.real(from), paths.real(to)));
  }

  @Override
  RecoverableWriter decorated(GatedCalls.Call<RecoverableWriter> writer) throws IOException {
    return calls.call(
        "FileSystem.createRecoverableWriter",
        () -> new FaultyRecoverableWriter(writer.make(), paths));
  }

  @Override
  public boolean isDistributedFS() {
    return target.isDistributedFS();
  }
}
