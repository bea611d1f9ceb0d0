package dev.twophase.benchmarks.file;

import dev.twophase.benchmarks.job.Records;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * What a reader sees: files and directories whose names begin with neither a dot nor an underscore.
 */
public record VisibleFiles(long files, long bytes) {

  /** Those below a local directory. */
  public static VisibleFiles under(Path directory) throws IOException {
    long[] counts = new long[2];
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            boolean enter = path.equals(directory) || isVisible(path);
            return enter ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            if (isVisible(path)) {
              counts[0]++;
              counts[1] += attributes.size();
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return new VisibleFiles(counts[0], counts[1]);
  }

  /**
   * Stops a measurement of something that did not do its work.
   *
   * @throws IllegalStateException if another number of records, each a line, is visible
   */
  public void require(long records) {
    if (bytes != records * (Records.BYTES + 1)) {
      throw new IllegalStateException(
          "Expected " + records + " visible records of " + Records.BYTES + " bytes, found " + this);
    }
  }

  private static boolean isVisible(Path path) {
    Path name = path.getFileName();
    return name != null && isVisible(name.toString());
  }

  /** Whether a reader looks at what is called so. */
  public static boolean isVisible(String name) {
    return !name.startsWith(".") && !name.startsWith("_");
  }
}
