package dev.twophase.file.hdfs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.ShutdownHookManager;

/** A NameNode and a DataNode in this JVM, started once for all test classes. */
public final class MiniHdfs extends HdfsFiles {

  /** Of encryption zones. */
  static final String KEY = "key";

  /** For a hundred thousand small files. */
  private static final long ENOUGH = 4L << 30;

  private static MiniHdfs shared;

  public final MiniDFSCluster cluster;

  private MiniHdfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  public static synchronized MiniHdfs shared() throws IOException {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static MiniHdfs start() throws IOException {
    File directory = directory();
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getPath());
    configuration.setInt("dfs.replication", 1);
    // Deletes of open files are seen at once, and nothing is refused for want of disk.
    configuration.setLong("dfs.namenode.resource.du.reserved", 0);
    // A NameNode that was restarted is found sooner.
    configuration.setLong("dfs.heartbeat.interval", 1);
    configuration.set(
        "hadoop.security.key.provider.path", "jceks://file" + directory + "/keys.jceks");
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(configuration).numDataNodes(1).format(true).build();
    cluster.waitActive();
    // Before any client reads the keys, which each does once.
    KeyProvider keys = cluster.getNameNode().getNamesystem().getProvider();
    keys.createKey(KEY, new byte[16], KeyProvider.options(configuration).setBitLength(128));
    keys.flush();
    // Last of all hooks. The servers end with the process; told to shut down now, they would fail.
    ShutdownHookManager.get().addShutdownHook(() -> FileUtils.deleteQuietly(directory), 0);
    return new MiniHdfs(cluster);
  }

  /** In memory where there is enough of it: nothing here is about the disk below HDFS. */
  private static File directory() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) && memory.toFile().getUsableSpace() > ENOUGH
        ? Files.createTempDirectory(memory, "twophase-hdfs-").toFile()
        : Files.createTempDirectory("twophase-hdfs-").toFile();
  }

  @Override
  public DistributedFileSystem fileSystem() throws IOException {
    return cluster.getFileSystem();
  }
}
