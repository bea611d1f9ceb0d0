package dev.twophase.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary directories in memory where the machine has a file system for that: syncing thousands
 * of small files to a disk takes minutes and proves nothing about a protocol. Use it for sinks that
 * write files: {@code @TempDir(factory = MemoryDisk.class)}. Elsewhere an ordinary temporary
 * directory is made. Thread-safe.
 */
public final class MemoryDisk implements TempDirFactory {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(
      AnnotatedElementContext elementContext, ExtensionContext extensionContext)
      throws IOException {
    return Files.isWritable(SHARED_MEMORY)
        ? Files.createTempDirectory(SHARED_MEMORY, "twophase-kit-")
        : Files.createTempDirectory("twophase-kit-");
  }
}
