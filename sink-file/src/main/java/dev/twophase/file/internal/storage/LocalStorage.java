package dev.twophase.file.internal.storage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.apache.commons.io.file.PathUtils;

/** Local disks, and whatever else the JDK's default file system provider reaches. */
public final class LocalStorage implements Storage {

  private static final int READ_BUFFER = 1 << 16;

  /** Of the 4,095 that Linux takes, less a file's name and what retiring puts before a bucket. */
  private static final int MAX_DIRECTORY_BYTES = 4_095 - 256 - 128;

  private final Path base;
  private final LocalMove move;

  public LocalStorage(Path base) {
    this(base, Files::createLink);
  }

  LocalStorage(Path base, LocalMove.Linker linker) {
    this.base = base.toAbsolutePath().normalize();
    this.move = new LocalMove(linker);
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
    int length = resolve(directory).toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_DIRECTORY_BYTES) {
      throw new FileSystemException(
          fullName(directory),
          null,
          "File name too long: the path of a bucket has "
              + length
              + " bytes, of "
              + MAX_DIRECTORY_BYTES
              + " that leave room for the names of its files");
    }
    Path existing = nearestExisting(resolve(directory));
    if (!Files.isDirectory(existing)) {
      throw new NotDirectoryException(existing.toString());
    }
    checkLinks(existing);
    move.checkReachable(base, existing);
  }

  @Override
  public Optional<String> above(String path) {
    for (Path above = base.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(above.toString());
      }
    }
    return Optional.empty();
  }

  @Override
  public void makeDirectories(String directory) throws IOException {
    Path path = resolve(directory);
    if (!Files.isDirectory(path)) {
      Files.createDirectories(path);
    }
  }

  @Override
  public StagedOutput create(String path) throws IOException {
    return new LocalOutput(resolve(path));
  }

  @Override
  public FileStatus status(String path) throws IOException {
    try {
      BasicFileAttributes found =
          Files.readAttributes(resolve(path), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (found.isRegularFile()) {
        return new FileStatus(FileStatus.Kind.FILE, found.size());
      }
      return new FileStatus(
          found.isDirectory() ? FileStatus.Kind.DIRECTORY : FileStatus.Kind.OTHER, 0);
    } catch (NoSuchFileException absent) {
      return FileStatus.ABSENT;
    }
  }

  @Override
  public boolean sameFile(String one, String other) throws IOException {
    try {
      return Files.isSameFile(resolve(one), resolve(other));
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  @Override
  public InputStream open(String path) throws IOException {
    return new BufferedInputStream(Files.newInputStream(resolve(path)), READ_BUFFER);
  }

  @Override
  public boolean publish(String staged, String target) throws IOException {
    return move.publish(resolve(staged), resolve(target));
  }

  @Override
  public boolean keepsStagedNames(String staging) throws IOException {
    return move.links(resolve(staging));
  }

  /** A local file has no lease to take away. */
  @Override
  public FileStatus settled(String path) throws IOException {
    return status(path);
  }

  @Override
  public void delete(String path) throws IOException {
    Path file = resolve(path);
    // One system call instead of two; where it fails, the second says why.
    if (!file.toFile().delete()) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    try (FileChannel names = FileChannel.open(resolve(directory), StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  @Override
  public List<String> names(String directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(resolve(directory))) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    } catch (NoSuchFileException missing) {
      return List.of();
    }
    return names;
  }

  @Override
  public boolean anyVisibleFile(Entrance entrance, Predicate<String> matches) throws IOException {
    if (!Files.isDirectory(base)) {
      return false;
    }
    // A search does not follow links, and the base may be one.
    Path root = base.toRealPath();
    VisibleFileSearch search = new VisibleFileSearch(root, entrance, matches);
    PathUtils.visitFileTree(search, root);
    return search.found();
  }

  @Override
  public void probe(String directory, String name) throws IOException {
    makeDirectories(directory);
    move.checkReachable(base, resolve(directory));
    move.probe(resolve(directory), name);
    syncDirectory(directory);
    syncDirectory("");
    Path parent = base.getParent();
    if (parent != null) {
      // The base directory itself may be new.
      try (FileChannel names = FileChannel.open(parent, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  @Override
  public void close() {}

  /** A link within the directory is fine, as long as readers see what is behind it. */
  private void checkLinks(Path existing) throws IOException {
    Path root = base.toRealPath();
    Path real = existing.toRealPath();
    boolean hidden =
        real.startsWith(root)
            && StreamSupport.stream(root.relativize(real).spliterator(), false)
                .anyMatch(name -> name.toString().startsWith("."));
    if (hidden || !real.startsWith(root)) {
      throw new FileSystemException(
          existing.toString(),
          null,
          (hidden
                  ? "a symbolic link that leads into a hidden directory, "
                  : "a symbolic link that leads out of the sink's directory, to ")
              + real
              + "; remove the link, or let the bucket assigner return another bucket");
    }
  }

  private Path nearestExisting(Path path) {
    for (Path current = path; current != null; current = current.getParent()) {
      if (current.equals(base) || Files.exists(current, LinkOption.NOFOLLOW_LINKS)) {
        return current;
      }
    }
    return base;
  }

  private Path resolve(String path) throws IOException {
    try {
      return base.resolve(path);
    } catch (InvalidPathException unmappable) {
      throw new IOException(
          "This JVM cannot name '"
              + path
              + "' ("
              + unmappable.getReason()
              + "). Start all JVMs of the cluster in a UTF-8 locale, for instance LC_ALL=C.UTF-8",
          unmappable);
    }
  }
}
