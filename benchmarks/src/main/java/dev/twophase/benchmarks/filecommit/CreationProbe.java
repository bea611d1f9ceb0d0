package dev.twophase.benchmarks.filecommit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long the disk takes to create a file just now. ext4 passes over each inode freed in the last
 * minutes before it takes one, which after a large deletion makes this a hundred times slower than
 * usual.
 */
record CreationProbe(double micros) {

  private static final int FILES = 200;
  private static final double SLOW_MICROS = 200;

  static CreationProbe in(Path directory) throws IOException {
    Path probes = Files.createDirectories(directory.resolve("probe"));
    long start = System.nanoTime();
    for (int file = 0; file < FILES; file++) {
      Files.createFile(probes.resolve("file-" + file));
    }
    return new CreationProbe((System.nanoTime() - start) / 1e3 / FILES);
  }

  String line() {
    String line = String.format("Creating a file takes %.0f microseconds", micros);
    return micros < SLOW_MICROS
        ? line
        : line
            + ": slow, probably because many files were deleted nearby in the last minutes."
            + " Both sides suffer; for figures to keep, wait or choose another --directory";
  }
}
