package dev.twophase.file.internal;

import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.file.internal.storage.LocalStorage;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the storage behind a directory by its scheme. */
public final class Directories {

  private Directories() {}

  /**
   * Checks that files can be published there in one step.
   *
   * @throws IllegalArgumentException if not, naming the directory, the reason and what there is
   */
  public static void check(URI directory) {
    if (directory.getScheme() == null) {
      throw new IllegalArgumentException(
          "directory is " + directory + ", without a scheme: use file: or hdfs:");
    }
    if (directory.isOpaque() || !directory.getPath().startsWith("/")) {
      throw new IllegalArgumentException(
          "directory is "
              + directory
              + ", without an absolute path: use one, as in file:///data/orders");
    }
    if (directory.getRawQuery() != null || directory.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "directory is "
              + directory
              + ", of which a part would be no path: write ? as %3F and # as %23");
    }
    if (isLocal(directory) && directory.getRawAuthority() != null) {
      throw new IllegalArgumentException(
          "directory is "
              + directory
              + ", on a named host: use a file system that all TaskManagers mount, as in"
              + " file:///data/orders");
    }
    if (!isLocal(directory) && directory.getPath().indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "directory is "
              + directory
              + ", with a colon in its path: Hadoop file systems allow none, choose another name");
    }
    Optional<String> refusal =
        HadoopStorages.refusal(directory.getScheme().toLowerCase(Locale.ROOT));
    if (refusal.isPresent()) {
      throw new IllegalArgumentException("directory is " + directory + ". " + refusal.get());
    }
  }

  /**
   * The factory for a directory.
   *
   * @param hadoopOptions for all schemes but {@code file}
   */
  public static StorageFactory storage(URI directory, Map<String, String> hadoopOptions) {
    if (isLocal(directory)) {
      return uri -> new LocalStorage(Path.of(uri));
    }
    Map<String, String> options = Map.copyOf(hadoopOptions);
    return uri -> hadoop(uri, options);
  }

  /**
   * Opens a directory that a sink can write to.
   *
   * @throws IllegalArgumentException if none can, see {@link #check}
   */
  public static Storage open(URI directory, Map<String, String> hadoopOptions) throws IOException {
    check(directory);
    return isLocal(directory)
        ? existing(Path.of(directory))
        : storage(directory, hadoopOptions).open(directory);
  }

  /**
   * Opens a local directory that a sink may have written to.
   *
   * @throws IllegalArgumentException if it is a file
   */
  public static Storage existing(Path directory) {
    if (Files.isRegularFile(directory)) {
      throw new IllegalArgumentException(
          "directory is " + directory + ", a file: name the directory that the sink writes to");
    }
    return new LocalStorage(directory);
  }

  private static boolean isLocal(URI directory) {
    return "file".equalsIgnoreCase(directory.getScheme());
  }

  private static Storage hadoop(URI directory, Map<String, String> options) throws IOException {
    try {
      return HadoopStorages.open(directory, options);
    } catch (NoClassDefFoundError missing) {
      throw new IOException(
          "Hadoop's client is not on the class path of the cluster, but the sink's directory is "
              + directory
              + ": add hadoop-client-api and hadoop-client-runtime, or set HADOOP_CLASSPATH",
          missing);
    }
  }
}
