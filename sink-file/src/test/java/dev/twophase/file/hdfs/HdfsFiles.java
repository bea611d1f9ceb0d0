package dev.twophase.file.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What tests see and do on an HDFS, wherever it runs. */
public abstract class HdfsFiles {

  public abstract DistributedFileSystem fileSystem() throws IOException;

  /** Those of a server in another process. */
  public static HdfsFiles at(URI server) {
    Configuration configuration = new Configuration();
    return new HdfsFiles() {
      @Override
      public DistributedFileSystem fileSystem() throws IOException {
        // The same one every time.
        return (DistributedFileSystem) FileSystem.get(server, configuration);
      }
    };
  }

  /** A directory that nobody else uses. */
  public URI directory(String name) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/" + name);
    fileSystem().delete(path, true);
    return fileSystem().makeQualified(path).toUri();
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
