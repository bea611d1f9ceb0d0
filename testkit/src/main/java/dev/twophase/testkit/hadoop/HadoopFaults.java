package dev.twophase.testkit.hadoop;

import dev.twophase.testkit.internal.faults.GatedCalls;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;

/**
 * Lets the kit inject faults into Hadoop's file systems: each call of them, and of the streams that
 * they create, is a point at which a schedule can strike. Files that a killed attempt was writing
 * stay open, as those of a dead process. Outside a schedule all calls are passed on.
 *
 * <p>Thread-safe, and so are the file systems made here as far as the real ones are.
 */
public final class HadoopFaults {

  private HadoopFaults() {}

  /**
   * Decorates a file system. Make it where the sink makes its client, so that each attempt has its
   * own; calls from the sink's own threads are then faulted too.
   *
   * @param fileSystem initialized
   * @return one that is no subclass of it: what only HDFS can do is not offered
   */
  public static FileSystem around(FileSystem fileSystem) {
    return new FaultyHadoopFileSystem(fileSystem, GatedCalls.ofAttempt());
  }

  /**
   * Settings with which Hadoop itself makes decorated file systems of a scheme, for a sink that
   * looks its file system up. They also make Hadoop's cache of file systems give way.
   *
   * @param scheme such as {@code hdfs}
   * @param real what is decorated
   */
  public static Map<String, String> settings(String scheme, Class<? extends FileSystem> real) {
    return Map.of(
        "fs." + scheme + ".impl",
        FaultyHadoopFileSystem.class.getName(),
        "fs." + scheme + ".impl.disable.cache",
        "true",
        FaultyHadoopFileSystem.realSetting(scheme),
        real.getName());
  }
}
