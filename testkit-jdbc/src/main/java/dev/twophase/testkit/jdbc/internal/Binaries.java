package dev.twophase.testkit.jdbc.internal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.io.FilenameUtils;

/**
 * Unpacks a server, and makes its first data, once per machine and user, in the directory for
 * temporary files.
 */
public final class Binaries {

  private static final Set<PosixFilePermission> READABLE_BY_ALL =
      PosixFilePermissions.fromString("rwxr-xr-x");

  /** Writes the files of a server. */
  @FunctionalInterface
  private interface Unpacking {
    void into(Path directory) throws IOException, InterruptedException;
  }

  /** Makes the data of a server that has not run yet. */
  @FunctionalInterface
  public interface Initialization {
    /**
     * Makes them.
     *
     * @param directory where they go into a directory {@code data} that is not there yet
     */
    void in(Path directory) throws IOException, InterruptedException;
  }

  private Binaries() {}

  /** The file of the class path that holds this resource. */
  public static URL find(String resource) {
    URL found = Binaries.class.getClassLoader().getResource(resource);
    if (found == null) {
      throw new IllegalStateException(
          "There is no server for this machine on the class path: "
              + resource
              + " is missing. Servers for Linux on x86-64 come with this module");
    }
    return found;
  }

  /**
   * Copies what a server has as data before it runs for the first time, since to make them takes
   * longer than most tests.
   *
   * @param home the server's, of this class
   * @param recipe tells apart data that are made in different ways
   * @param target the directory, which is not there yet
   */
  public static void copyData(Path home, String recipe, Initialization first, Path target)
      throws IOException, InterruptedException {
    Path made =
        once(home.getFileName() + "-data-" + Integer.toHexString(recipe.hashCode()), first::in);
    ServerProcess.run(
        List.of("cp", "-a", made.resolve("data").toString(), target.toString()),
        Map.of(),
        Path.of("/dev/null"));
  }

  /** Unpacks a tar archive compressed by xz. */
  public static Path tarXz(URL archive) throws IOException, InterruptedException {
    // A jar that bundles several servers, of any version, has one name for all of them.
    return once(
        nameOf(archive) + "-" + archive.openConnection().getContentLengthLong(),
        directory -> {
          try (InputStream in = new BufferedInputStream(archive.openStream());
              TarArchiveInputStream tar =
                  new TarArchiveInputStream(new XZCompressorInputStream(in))) {
            for (TarArchiveEntry e = tar.getNextEntry(); e != null; e = tar.getNextEntry()) {
              unpack(tar, e, inside(directory, e.getName()));
            }
          }
        });
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
      if ((entry.getMode() & 0100) != 0) {
        Files.setPosixFilePermissions(target, READABLE_BY_ALL);
      }
    }
  }

  /** Unpacks what is wanted of a folder in a jar; whatever lies in a {@code bin} can be run. */
  public static Path zipFolder(URL jar, String folder, Predicate<String> wanted)
      throws IOException, InterruptedException {
    return once(
        nameOf(jar) + "-" + folder.replace('/', '-'),
        directory -> {
          try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(jar.openStream()))) {
            for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
              if (!e.isDirectory() && e.getName().startsWith(folder)) {
                String name = e.getName().substring(folder.length());
                if (wanted.test(name)) {
                  Path target = inside(directory, name);
                  Files.createDirectories(target.getParent());
                  Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
                  if (name.startsWith("bin/")) {
                    Files.setPosixFilePermissions(target, READABLE_BY_ALL);
                  }
                }
              }
            }
          }
        });
  }

  private static Path inside(Path directory, String name) throws IOException {
    Path target = directory.resolve(name).normalize();
    if (!target.startsWith(directory)) {
      throw new IOException("The archive holds a file outside of itself: " + name);
    }
    return target;
  }

  private static String nameOf(URL url) {
    String outer = url.getPath().replaceAll("!/.*", "");
    return FilenameUtils.getBaseName(outer);
  }

  /** A directory that bears its final name is whole; other processes wait for the lock. */
  private static Path once(String name, Unpacking unpacking)
      throws IOException, InterruptedException {
    Path cache =
        Path.of(System.getProperty("java.io.tmpdir"))
            .resolve("twophase-servers-" + System.getProperty("user.name"));
    Files.createDirectories(cache);
    Files.setPosixFilePermissions(cache, READABLE_BY_ALL);
    Path whole = cache.resolve(name);
    synchronized (Binaries.class) {
      try (FileChannel channel =
              FileChannel.open(
                  cache.resolve(name + ".lock"),
                  EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
          FileLock lock = channel.lock()) {
        if (!Files.exists(whole)) {
          Path partial = Files.createTempDirectory(cache, name);
          Files.setPosixFilePermissions(partial, READABLE_BY_ALL);
          unpacking.into(partial);
          Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
    return whole;
  }
}
