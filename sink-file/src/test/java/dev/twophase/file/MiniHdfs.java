package dev.twophase.file;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A NameNode and a DataNode in this JVM, started once for all test classes. */
final class MiniHdfs {

  private static MiniHdfs shared;

  final MiniDFSCluster cluster;

  private MiniHdfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  static synchronized MiniHdfs shared() throws IOException {
    if (shared == null) {
      File directory = Files.createTempDirectory("mini-hdfs").toFile();
      Configuration configuration = new Configuration();
      configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getPath());
      configuration.setInt("dfs.replication", 1);
      // Deletes of open files are seen at once, and nothing is refused for want of disk.
      configuration.setLong("dfs.namenode.resource.du.reserved", 0);
      MiniDFSCluster cluster =
          new MiniDFSCluster.Builder(configuration).numDataNodes(1).format(true).build();
      cluster.waitActive();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    cluster.shutdown();
                    FileUtils.deleteQuietly(directory);
                  }));
      shared = new MiniHdfs(cluster);
    }
    return shared;
  }

  /** A directory that nobody else uses. */
  URI directory(String name) throws IOException {
    Path path = new Path("/" + name);
    fileSystem().delete(path, true);
    return fileSystem().makeQualified(path).toUri();
  }

  DistributedFileSystem fileSystem() throws IOException {
    return cluster.getFileSystem();
  }

  /** Visible files, relative to the directory. */
  List<String> visible(URI directory) throws IOException {
    return files(directory).stream().filter(name -> !isHidden(name)).toList();
  }

  /** What is not published, relative to the directory. */
  List<String> hidden(URI directory) throws IOException {
    return files(directory).stream().filter(MiniHdfs::isHidden).toList();
  }

  /** All visible lines, sorted. */
  List<String> lines(URI directory) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String file : visible(directory)) {
      lines.addAll(lines(directory, file));
    }
    return lines.stream().sorted().toList();
  }

  List<String> lines(URI directory, String file) throws IOException {
    try (var in = fileSystem().open(new Path(directory + "/" + file))) {
      return IOUtils.readLines(in, StandardCharsets.UTF_8);
    }
  }

  void write(URI directory, String file, String content) throws IOException {
    try (var out = fileSystem().create(new Path(directory + "/" + file), true)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private List<String> files(URI directory) throws IOException {
    List<String> names = new ArrayList<>();
    Path root = new Path(directory);
    if (fileSystem().exists(root)) {
      collect(root, root, names);
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  private void collect(Path root, Path directory, List<String> names) {
    try {
      for (FileStatus entry : fileSystem().listStatus(directory)) {
        if (entry.isDirectory()) {
          collect(root, entry.getPath(), names);
        } else {
          names.add(
              root.toUri().relativize(entry.getPath().toUri()).getPath().replaceFirst("^/", ""));
        }
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".");
  }
}
