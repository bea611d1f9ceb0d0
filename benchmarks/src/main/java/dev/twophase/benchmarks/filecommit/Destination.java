package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.file.VisibleFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a contender's files go. */
interface Destination {

  /** A directory of its own for a round. */
  URI directory(int round) throws IOException;

  VisibleFiles visible(URI directory) throws IOException;

  /** Below a local directory. */
  static Destination local(Path directory) {
    return new Destination() {
      @Override
      public URI directory(int round) throws IOException {
        return Files.createDirectories(directory.resolve("round-" + round)).toUri();
      }

      @Override
      public VisibleFiles visible(URI round) throws IOException {
        return VisibleFiles.under(Path.of(round));
      }
    };
  }
}
