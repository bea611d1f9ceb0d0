package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;

/** Opens the storage behind a directory. Serialized into the job, called on the cluster. */
@FunctionalInterface
public interface StorageFactory extends Serializable {

  Storage open(URI directory) throws IOException;

  /**
   * The factory for a directory's scheme.
   *
   * @throws IllegalArgumentException if there is none, naming the scheme and what there is
   */
  static StorageFactory forDirectory(URI directory) {
    if (!"file".equals(directory.getScheme())) {
      throw new IllegalArgumentException(
          "directory is "
              + directory
              + ", whose scheme is not supported: use file:, on a file system that all"
              + " TaskManagers share");
    }
    return uri -> new LocalStorage(Path.of(uri));
  }
}
