package dev.twophase.file.internal.hadoop;

import static dev.twophase.file.internal.hadoop.HadoopErrors.translated;

import dev.twophase.file.internal.storage.FileStatus;
import dev.twophase.file.internal.storage.ProbeNames;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.UnsafeStorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Hadoop file system with atomic renames. The NameNode writes every change of a name to its
 * journal before it answers, so there are no directories to sync.
 */
public final class HadoopStorage implements Storage {

  private static final Logger LOG = LoggerFactory.getLogger(HadoopStorage.class);

  private static final int READ_BUFFER = 1 << 16;

  /** Of the 8,000 that HDFS takes, less a file's name and what retiring puts before a bucket. */
  private static final int MAX_DIRECTORY_LENGTH = 8_000 - 256 - 128;

  /** Of the 1,000 that HDFS takes, less a file's own and the two that retiring puts before it. */
  private static final int MAX_DIRECTORY_DEPTH = 1_000 - 3;

  /** What servers say that know no observers, the second of them routers. */
  private static final Set<String> NO_MSYNC =
      Set.of(
          RpcNoSuchMethodException.class.getName(), UnsupportedOperationException.class.getName());

  private final FileSystem fileSystem;
  private final Renames renames;
  private final Path base;

  HadoopStorage(FileSystem fileSystem, Path base, Renames renames) {
    this.fileSystem = fileSystem;
    this.base = fileSystem.makeQualified(base);
    this.renames = renames;
  }

  @Override
  public String base() {
    return base.toString();
  }

  @Override
  public String fullName(String path) {
    return base + "/" + path;
  }

  @Override
  public void checkDirectory(String directory) throws IOException {
    if (directory.indexOf(':') >= 0) {
      throw new FileSystemException(
          fullName(directory),
          null,
          "Hadoop file systems allow no colon in a name; choose another");
    }
    int length = resolve(directory).toUri().getPath().length();
    if (length > MAX_DIRECTORY_LENGTH) {
      throw new FileSystemException(
          fullName(directory),
          null,
          "File name too long: the path of a bucket has "
              + length
              + " characters, of "
              + MAX_DIRECTORY_LENGTH
              + " that leave room for the names of its files");
    }
    int depth = resolve(directory).depth();
    if (depth > MAX_DIRECTORY_DEPTH) {
      throw new FileSystemException(
          fullName(directory),
          null,
          "File name too long: the path of a bucket has "
              + depth
              + " components, of "
              + MAX_DIRECTORY_DEPTH
              + " that leave room for its files");
    }
    Path existing = resolve(directory);
    while (!existing.equals(base) && !isThere(existing)) {
      existing = existing.getParent();
    }
    Path found = existing;
    if (!translated(found, () -> fileSystem.getFileStatus(found)).isDirectory()) {
      throw new NotDirectoryException(found.toString());
    }
    translated(
        found,
        () -> {
          fileSystem.access(found, FsAction.WRITE_EXECUTE);
          return found;
        });
    renames.checkReachable(base, found);
  }

  @Override
  public Optional<String> above(String path) throws IOException {
    for (Path above = base.getParent(); above != null; above = above.getParent()) {
      if (isSeen(new Path(above, path))) {
        return Optional.of(above.toString());
      }
    }
    return Optional.empty();
  }

  /** What this user may not look at is no sink of this user. */
  private boolean isSeen(Path path) throws IOException {
    try {
      return isThere(path);
    } catch (AccessDeniedException notTold) {
      LOG.debug("Not told whether there is {}", path, notTold);
      return false;
    }
  }

  @Override
  public void makeDirectories(String directory) throws IOException {
    Path path = resolve(directory);
    if (!translated(path, () -> fileSystem.mkdirs(path))) {
      throw new FileSystemException(path.toString(), null, "the directory was not made");
    }
  }

  @Override
  public StagedOutput create(String path) throws IOException {
    return output(path);
  }

  private HadoopOutput output(String path) throws IOException {
    Path file = resolve(path);
    return translated(
        file,
        () ->
            new HadoopOutput(
                fileSystem.createNonRecursive(
                    file,
                    FsPermission.getFileDefault().applyUMask(umask()),
                    EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                    fileSystem.getConf().getInt("io.file.buffer.size", READ_BUFFER),
                    fileSystem.getDefaultReplication(file),
                    fileSystem.getDefaultBlockSize(file),
                    null),
                file,
                renames.syncsOnClose()));
  }

  @Override
  public boolean startsSlowly() {
    return renames.startsSlowly();
  }

  private FsPermission umask() {
    return FsPermission.getUMask(fileSystem.getConf());
  }

  @Override
  public FileStatus status(String path) throws IOException {
    Path file = resolve(path);
    try {
      var found = translated(file, () -> fileSystem.getFileStatus(file));
      if (found.isFile()) {
        return new FileStatus(FileStatus.Kind.FILE, found.getLen());
      }
      return new FileStatus(
          found.isDirectory() ? FileStatus.Kind.DIRECTORY : FileStatus.Kind.OTHER, 0);
    } catch (NoSuchFileException absent) {
      return FileStatus.ABSENT;
    }
  }

  /** There are no hard links: two names are two files. */
  @Override
  public boolean sameFile(String one, String other) {
    return false;
  }

  @Override
  public InputStream open(String path) throws IOException {
    Path file = resolve(path);
    return translated(file, () -> fileSystem.open(file, READ_BUFFER));
  }

  @Override
  public boolean publish(String staged, String target) throws IOException {
    Path to = resolve(target);
    return translated(
        to,
        () -> {
          renames.rename(resolve(staged), to);
          return false;
        });
  }

  @Override
  public FileStatus settled(String path) throws IOException {
    Path file = resolve(path);
    Optional<Long> length = translated(file, () -> renames.settledLength(file));
    return length.isPresent() ? new FileStatus(FileStatus.Kind.FILE, length.get()) : status(path);
  }

  @Override
  public Map<String, FileStatus> settledTogether(String prefix) throws IOException {
    int slash = prefix.lastIndexOf('/');
    Path directory = resolve(prefix.substring(0, Math.max(0, slash)));
    Map<String, FileStatus> found = new HashMap<>();
    translated(directory, () -> renames.settledLengths(directory, prefix.substring(slash + 1)))
        .forEach(
            (name, length) ->
                found.put(
                    prefix.substring(0, slash + 1) + name,
                    new FileStatus(FileStatus.Kind.FILE, length)));
    return found;
  }

  /** An observer answers for the NameNode, and may not yet know what another client has done. */
  @Override
  public boolean catchUp() throws IOException {
    try {
      fileSystem.msync();
      return true;
    } catch (UnsupportedOperationException noObservers) {
      LOG.debug("{} has one view of itself", base, noObservers);
      return false;
    } catch (RemoteException error) {
      if (NO_MSYNC.contains(error.getClassName())) {
        LOG.debug("The server of {} has one view of itself", base, error);
        return false;
      }
      throw error;
    }
  }

  @Override
  public void delete(String path) throws IOException {
    Path file = resolve(path);
    if (!translated(file, () -> fileSystem.delete(file, false)) && isThere(file)) {
      throw new FileSystemException(file.toString(), null, "the file was not removed");
    }
  }

  @Override
  public void syncDirectory(String directory) {
    // Nothing to do: see the class.
  }

  @Override
  public List<String> names(String directory) throws IOException {
    Path path = resolve(directory);
    List<String> names = new ArrayList<>();
    try {
      RemoteIterator<org.apache.hadoop.fs.FileStatus> entries =
          translated(path, () -> fileSystem.listStatusIterator(path));
      while (translated(path, entries::hasNext)) {
        names.add(translated(path, entries::next).getPath().getName());
      }
    } catch (NoSuchFileException missing) {
      return List.of();
    }
    return names;
  }

  @Override
  public boolean anyVisibleFile(Entrance entrance, Predicate<String> matches) throws IOException {
    Deque<String> directories = new ArrayDeque<>(List.of(""));
    while (!directories.isEmpty()) {
      String below = directories.pop();
      Path directory = resolve(below);
      try {
        RemoteIterator<org.apache.hadoop.fs.FileStatus> entries =
            translated(directory, () -> fileSystem.listStatusIterator(directory));
        while (translated(directory, entries::hasNext)) {
          var entry = translated(directory, entries::next);
          String name = entry.getPath().getName();
          String path = below.isEmpty() ? name : below + "/" + name;
          if (entry.isDirectory() && !name.startsWith(".") && entrance.opens(path)) {
            directories.push(path);
          } else if (entry.isFile() && matches.test(path)) {
            return true;
          }
        }
      } catch (NoSuchFileException gone) {
        LOG.debug("{} vanished during the search", directory, gone);
      }
    }
    return false;
  }

  @Override
  public void probe(String directory, String name) throws IOException {
    makeDirectories(directory);
    refuseUnsafeTarget(resolve(directory));
    renames.checkReachable(base, resolve(directory));
    String file = directory + "/" + name;
    String renamed = file + ProbeNames.MOVED;
    try {
      try (HadoopOutput output = output(file)) {
        output.write(new byte[] {1}, 0, 1);
        output.sync();
        if (!output.syncs()) {
          throw new UnsafeStorageException(
              fullName(file),
              fileSystem.getClass().getName()
                  + " has no hsync: what is written could be lost with a machine after the"
                  + " checkpoint. Use hdfs:, or a file system that all TaskManagers mount");
        }
      }
      publish(file, renamed);
    } finally {
      delete(file);
      delete(renamed);
    }
  }

  /** The scheme of the directory has been checked, not where a mount table leads. */
  private void refuseUnsafeTarget(Path directory) throws IOException {
    Path target = translated(directory, () -> fileSystem.resolvePath(directory));
    String scheme = target.toUri().getScheme();
    if (!scheme.equals(base.toUri().getScheme())) {
      Optional<String> refusal = HadoopStorages.refusalOfTarget(scheme);
      if (refusal.isPresent()) {
        throw new UnsafeStorageException(
            directory.toString(), "leads to " + target + ". " + refusal.get());
      }
    }
  }

  @Override
  public void close() throws IOException {
    fileSystem.close();
  }

  private boolean isThere(Path path) throws IOException {
    try {
      translated(path, () -> fileSystem.getFileStatus(path));
      return true;
    } catch (NoSuchFileException absent) {
      return false;
    }
  }

  private Path resolve(String path) {
    return path.isEmpty()
        ? base
        : new Path(
            base.toUri().getScheme(),
            base.toUri().getAuthority(),
            base.toUri().getPath() + "/" + path);
  }
}
