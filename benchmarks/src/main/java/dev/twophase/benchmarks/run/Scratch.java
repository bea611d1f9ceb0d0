package dev.twophase.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** A working directory that is gone when the run is over. */
public record Scratch(Path path) implements AutoCloseable {

  /**
   * Makes one.
   *
   * @param parent empty for {@code java.io.tmpdir}
   * @throws IOException if it cannot be created
   */
  public static Scratch under(Optional<Path> parent) throws IOException {
    Path root = parent.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
    Files.createDirectories(root);
    return new Scratch(Files.createTempDirectory(root.toAbsolutePath(), "twophase-benchmarks-"));
  }

  /** A line that says what kind of disk the figures belong to. */
  public static String describe(Path directory) throws IOException {
    return directory + " on " + Files.getFileStore(directory).type();
  }

  /** Deletes a tree, if it exists. */
  public static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }

  @Override
  public void close() throws IOException {
    delete(path);
  }
}
