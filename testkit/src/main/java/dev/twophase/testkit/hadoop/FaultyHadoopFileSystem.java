package dev.twophase.testkit.hadoop;

import dev.twophase.testkit.internal.faults.GatedCalls;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/** See {@link HadoopFaults}. */
final class FaultyHadoopFileSystem extends FilterFileSystem {

  private static final String CREATE = "FileSystem.create";
  private static final String RENAME = "FileSystem.rename";

  private final GatedCalls calls;

  /** For Hadoop, which initializes it afterwards. */
  FaultyHadoopFileSystem() {
    this.calls = GatedCalls.ofAttempt();
  }

  FaultyHadoopFileSystem(FileSystem target, GatedCalls calls) {
    super(target);
    this.calls = calls;
  }

  static String realSetting(String scheme) {
    return "twophase.faulty." + scheme + ".impl";
  }

  @Override
  public void initialize(URI name, Configuration settings) throws IOException {
    if (fs == null) {
      fs = real(name.getScheme(), settings);
      fs.initialize(name, settings);
    }
    super.initialize(name, settings);
  }

  private static FileSystem real(String scheme, Configuration settings) throws IOException {
    String type =
        Objects.requireNonNull(settings.get(realSetting(scheme)), "see HadoopFaults.settings");
    try {
      return settings
          .getClassByName(type)
          .asSubclass(FileSystem.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IOException(realSetting(scheme) + "=" + type + ": it cannot be made", e);
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return calls.call("FileSystem.open", () -> fs.open(path, bufferSize));
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress)
      throws IOException {
    return calls.call(
        CREATE,
        () ->
            FaultyHadoopOutput.around(
                fs.create(
                    path, permission, overwrite, bufferSize, replication, blockSize, progress)));
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress)
      throws IOException {
    return calls.call(
        CREATE,
        () ->
            FaultyHadoopOutput.around(
                fs.createNonRecursive(
                    path, permission, flags, bufferSize, replication, blockSize, progress)));
  }

  @Override
  public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
    return createDataOutputStreamBuilder(this, path).create().overwrite(true);
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress)
      throws IOException {
    return calls.call(
        "FileSystem.append",
        () -> FaultyHadoopOutput.around(fs.append(path, bufferSize, progress)));
  }

  @Override
  public FSDataOutputStreamBuilder<?, ?> appendFile(Path path) {
    return createDataOutputStreamBuilder(this, path).append();
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    return calls.call(RENAME, () -> fs.rename(from, to));
  }

  @Override
  public void rename(Path from, Path to, Options.Rename... options) throws IOException {
    calls.run(RENAME, () -> super.rename(from, to, options));
  }

  @Override
  public boolean truncate(Path path, long length) throws IOException {
    return calls.call("FileSystem.truncate", () -> fs.truncate(path, length));
  }

  @Override
  public void concat(Path target, Path[] sources) throws IOException {
    calls.run("FileSystem.concat", () -> fs.concat(target, sources));
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    return calls.call("FileSystem.delete", () -> fs.delete(path, recursive));
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    return calls.call("FileSystem.mkdirs", () -> fs.mkdirs(path));
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    return calls.call("FileSystem.mkdirs", () -> fs.mkdirs(path, permission));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    return calls.call("FileSystem.listStatus", () -> fs.listStatus(path));
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    return calls.call("FileSystem.listStatus", () -> fs.listStatusIterator(path));
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
    return calls.call("FileSystem.listStatus", () -> fs.listLocatedStatus(path));
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return calls.call("FileSystem.getFileStatus", () -> fs.getFileStatus(path));
  }

  @Override
  public FileChecksum getFileChecksum(Path path) throws IOException {
    return calls.call("FileSystem.getFileChecksum", () -> fs.getFileChecksum(path));
  }

  @Override
  public void access(Path path, FsAction mode) throws IOException {
    calls.run("FileSystem.access", () -> fs.access(path, mode));
  }

  @Override
  public void setTimes(Path path, long modified, long accessed) throws IOException {
    calls.run("FileSystem.setTimes", () -> fs.setTimes(path, modified, accessed));
  }

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    calls.run("FileSystem.setPermission", () -> fs.setPermission(path, permission));
  }

  @Override
  public void setOwner(Path path, String owner, String group) throws IOException {
    calls.run("FileSystem.setOwner", () -> fs.setOwner(path, owner, group));
  }
}
