package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives a staged file its visible name without ever overwriting: by a hard link, which fails if the
 * name is taken, whoever took it.
 *
 * <p>Where the file system has no hard links (FAT, some network mounts) the file is renamed after a
 * look at the target. That is as safe among our own: a visible name contains the transaction's id
 * and part, so only movers of one and the same staged file ever aim at it, and a file can be
 * renamed away only once. What is not closed there is the instant between look and rename, for a
 * foreign program that makes up exactly this name.
 */
final class LocalMove {

  private static final String DEVICE = "unix:dev";

  private final Linker linker;
  private volatile @Nullable Boolean linksWork;

  /** {@link Files#createLink}, or what stands for it in a test. */
  @FunctionalInterface
  interface Linker {
    Path link(Path link, Path existing) throws IOException;
  }

  LocalMove(Linker linker) {
    this.linker = linker;
  }

  /** Returns whether the staged name remains. */
  boolean publish(Path staged, Path target) throws IOException {
    if (Boolean.FALSE.equals(linksWork)) {
      renameIfFree(staged, target);
      return false;
    }
    try {
      linker.link(target, staged);
      return true;
    } catch (UnsupportedOperationException | FileSystemException error) {
      // Linux answers EPERM both for "no links here" and for "not with this file": try another.
      if (saysUnsupported(error)
          && !linksWork(Objects.requireNonNull(staged.getParent()), ProbeNames.unique(0))) {
        renameIfFree(staged, target);
        return false;
      }
      throw asIoException(error);
    }
  }

  /** Whether files are linked there, and not renamed. */
  boolean links(Path directory) throws IOException {
    return linksWork(directory, ProbeNames.unique(0));
  }

  /** Makes, links and removes a file, so that missing rights show before there is data. */
  void probe(Path directory, String name) throws IOException {
    linksWork = null;
    linksWork(directory, name);
  }

  /**
   * @throws IOException if no file can be moved between {@code directory} and others below {@code
   *     base} in one step
   */
  void checkReachable(Path base, Path directory) throws IOException {
    if (!Files.isWritable(directory)) {
      throw new AccessDeniedException(directory.toString(), null, "no right to create files there");
    }
    if (base.getFileSystem().supportedFileAttributeViews().contains("unix")
        && !Files.getAttribute(base, DEVICE).equals(Files.getAttribute(directory, DEVICE))) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "on another file system than "
              + base
              + " (a mount point or a symbolic link), so files cannot be moved in one step");
    }
  }

  private boolean linksWork(Path directory, String name) throws IOException {
    Boolean known = linksWork;
    if (known != null) {
      return known;
    }
    Path file = Files.createFile(directory.resolve(name));
    Path link = directory.resolve(name + ProbeNames.MOVED);
    boolean works;
    try {
      linker.link(link, file);
      works = true;
    } catch (UnsupportedOperationException | FileSystemException error) {
      if (!saysUnsupported(error)) {
        throw asIoException(error);
      }
      works = false;
    } finally {
      Files.deleteIfExists(link);
      Files.delete(file);
    }
    linksWork = works;
    return works;
  }

  private static void renameIfFree(Path staged, Path target) throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    Files.move(staged, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean saysUnsupported(Exception error) {
    String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    return error instanceof UnsupportedOperationException
        || text.contains("not permitted")
        || text.contains("not supported")
        || text.contains("not implemented");
  }

  private static IOException asIoException(Exception error) {
    return error instanceof IOException io ? io : new IOException(error);
  }
}
