package dev.twophase.file.internal.hadoop;

import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Opens Hadoop file systems, those only that rename a file in one step. */
public final class HadoopStorages {

  /** Besides HDFS itself. */
  private static final Set<String> ATOMIC_SCHEMES =
      Set.of("viewfs", "webhdfs", "swebhdfs", "ofs", "o3fs", "file");

  /** How long a client first waits for the DataNodes' word that a closed file is whole. */
  private static final String FIRST_WAIT_ON_CLOSE =
      "dfs.client.block.write.locateFollowingBlock.initial.delay.ms";

  private static final int FIRST_WAIT_MILLIS = 10;

  /** How often it then asks again, waiting twice as long each time. */
  private static final String WAITS_ON_CLOSE =
      "dfs.client.block.write.locateFollowingBlock.retries";

  /** Together 20 s, where Hadoop's defaults make 12. */
  private static final int WAITS = 11;

  private HadoopStorages() {}

  /**
   * Why files cannot be published in one step there, if so.
   *
   * @param scheme of the directory
   */
  public static Optional<String> refusal(String scheme) {
    if ("hdfs".equals(scheme) || ATOMIC_SCHEMES.contains(scheme)) {
      return Optional.empty();
    }
    return Optional.of(
        "A file of "
            + scheme
            + ": is not known to be renamed in one step (object stores copy it and delete the"
            + " original), so a reader could see half of it and a crash could double it. Use hdfs:, a"
            + " file system that all TaskManagers mount, or a table format");
  }

  /**
   * The same for where a mount table leads.
   *
   * @param scheme of the directory behind the mount point
   */
  static Optional<String> refusalOfTarget(String scheme) {
    return "file".equals(scheme)
        ? Optional.of(
            "There Hadoop renames a file and its checksums one after the other, overwrites, and"
                + " copies where the rename fails. Give the sink the mounted directory itself, as"
                + " file:")
        : refusal(scheme);
  }

  /**
   * Opens a file system of its own, so that closing it disturbs nobody else's.
   *
   * @param options on top of Hadoop's configuration files on the class path
   */
  public static Storage open(URI directory, Map<String, String> options) throws IOException {
    Configuration configuration = new Configuration();
    options.forEach(configuration::set);
    return open(directory, configuration);
  }

  /** The same with a configuration, which it may change. */
  public static Storage open(URI directory, Configuration configuration) throws IOException {
    // So made, it has no slash at its end, which comes and goes with the directory in Java's paths.
    String scheme = directory.getScheme().toLowerCase(Locale.ROOT);
    Path base = new Path(scheme, directory.getAuthority(), directory.getPath());
    FileSystem fileSystem = FileSystem.newInstance(base.toUri(), waitingLess(configuration));
    Renames renames =
        fileSystem instanceof DistributedFileSystem hdfs
            ? new HdfsRenames(hdfs)
            : new PlainRenames(fileSystem);
    return new HadoopStorage(fileSystem, base, renames);
  }

  /** The default of 400 ms, doubled each time, is more than a small file takes as a whole. */
  private static Configuration waitingLess(Configuration configuration) {
    if (!isChosen(configuration, FIRST_WAIT_ON_CLOSE)) {
      configuration.setInt(FIRST_WAIT_ON_CLOSE, FIRST_WAIT_MILLIS);
      if (!isChosen(configuration, WAITS_ON_CLOSE)) {
        configuration.setInt(WAITS_ON_CLOSE, WAITS);
      }
    }
    return configuration;
  }

  private static boolean isChosen(Configuration configuration, String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources != null && !Arrays.asList(sources).contains("hdfs-default.xml");
  }
}
