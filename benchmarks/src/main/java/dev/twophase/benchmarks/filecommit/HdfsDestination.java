package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.file.VisibleFiles;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Below a directory of an HDFS. */
final class HdfsDestination implements Destination {

  private final URI base;
  private final FileSystem fileSystem;

  HdfsDestination(URI base) throws IOException {
    this.base = base;
    this.fileSystem = FileSystem.get(base, new Configuration());
  }

  @Override
  public URI directory(int round) throws IOException {
    Path path = new Path(base.toString(), "round-" + round);
    fileSystem.mkdirs(path);
    return path.toUri();
  }

  @Override
  public VisibleFiles visible(URI directory) throws IOException {
    return visible(new Path(directory));
  }

  private VisibleFiles visible(Path directory) throws IOException {
    long files = 0;
    long bytes = 0;
    for (FileStatus entry : fileSystem.listStatus(directory)) {
      if (!VisibleFiles.isVisible(entry.getPath().getName())) {
        continue;
      }
      if (entry.isDirectory()) {
        VisibleFiles below = visible(entry.getPath());
        files += below.files();
        bytes += below.bytes();
      } else {
        files++;
        bytes += entry.getLen();
      }
    }
    return new VisibleFiles(files, bytes);
  }
}
