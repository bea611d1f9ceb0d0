package dev.twophase.testkit.internal.faults;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;

/** By which Flink finds the file systems of {@code Faults.aroundPath}. */
public final class FaultyFileSystemFactory implements FileSystemFactory {

  @Override
  public String getScheme() {
    return FaultyPaths.SCHEME;
  }

  @Override
  public FileSystem create(URI seen) throws IOException {
    // Flink keeps it for all attempts.
    return new FaultyFileSystem(
        FileSystem.getUnguardedFileSystem(FaultyPaths.realUri(seen)),
        FaultyPaths.BY_SCHEME,
        GatedCalls.ofCaller());
  }
}
