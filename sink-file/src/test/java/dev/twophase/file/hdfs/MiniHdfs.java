package dev.twophase.file.hdfs;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A NameNode and a DataNode in this JVM, started once for all test classes. */
public final class MiniHdfs {

  /** For a hundred thousand small files. */
  private static final long ENOUGH = 4L << 30;

  private static MiniHdfs shared;

  public final MiniDFSCluster cluster;

  private MiniHdfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  public static synchronized MiniHdfs shared() throws IOException {
    if (shared == null) {
      File directory = directory();
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

  /** In memory where there is enough of it: nothing here is about the disk below HDFS. */
  private static File directory() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) && memory.toFile().getUsableSpace() > ENOUGH
        ? Files.createTempDirectory(memory, "twophase-hdfs-").toFile()
        : Files.createTempDirectory("twophase-hdfs-").toFile();
  }

  /** A directory that nobody else uses. */
  public URI directory(String name) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/" + name);
    fileSystem().delete(path, true);
    return fileSystem().makeQualified(path).toUri();
  }

  public DistributedFileSystem fileSystem() throws IOException {
    return cluster.getFileSystem();
  }

  /** Visible files, relative to the directory. */
  public List<String> visible(URI directory) throws IOException {
    return visibleFiles(directory).stream().map(file -> relative(directory, file)).toList();
  }

  /** The same, with their length and time. */
  public List<FileStatus> visibleFiles(URI directory) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    collect(new org.apache.hadoop.fs.Path(directory), name -> !isHidden(name), files);
    return files;
  }

  /** What is not published, relative to the directory. */
  public List<String> hidden(URI directory) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    for (FileStatus entry : list(new org.apache.hadoop.fs.Path(directory))) {
      if (!isHidden(entry.getPath().getName())) {
        continue;
      }
      if (entry.isDirectory()) {
        collect(entry.getPath(), name -> true, files);
      } else {
        files.add(entry);
      }
    }
    return files.stream().map(file -> relative(directory, file)).sorted().toList();
  }

  /** All visible lines, sorted. */
  public List<String> lines(URI directory) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String file : visible(directory)) {
      lines.addAll(lines(directory, file));
    }
    return lines.stream().sorted().toList();
  }

  public List<String> lines(URI directory, String file) throws IOException {
    return lines(new org.apache.hadoop.fs.Path(directory + "/" + file));
  }

  public List<String> lines(org.apache.hadoop.fs.Path file) throws IOException {
    try (var in = fileSystem().open(file)) {
      return IOUtils.readLines(in, StandardCharsets.UTF_8);
    }
  }

  public void write(URI directory, String file, String content) throws IOException {
    try (var out =
        fileSystem().create(new org.apache.hadoop.fs.Path(directory + "/" + file), true)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void collect(
      org.apache.hadoop.fs.Path directory, Predicate<String> wanted, List<FileStatus> files)
      throws IOException {
    for (FileStatus entry : list(directory)) {
      if (!wanted.test(entry.getPath().getName())) {
        continue;
      }
      if (entry.isDirectory()) {
        collect(entry.getPath(), wanted, files);
      } else {
        files.add(entry);
      }
    }
  }

  private List<FileStatus> list(org.apache.hadoop.fs.Path directory) throws IOException {
    try {
      return List.of(fileSystem().listStatus(directory));
    } catch (FileNotFoundException notYet) {
      return List.of();
    }
  }

  private static String relative(URI directory, FileStatus file) {
    return new org.apache.hadoop.fs.Path(directory)
        .toUri()
        .relativize(file.getPath().toUri())
        .getPath()
        .replaceFirst("^/", "");
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".");
  }
}
