package dev.twophase.examples.place;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Where the demo writes when the user names no directory: one that goes when the JVM does. A killed
 * JVM removes nothing, so each one also removes what killed ones have left: those whose lock file
 * nobody holds, as a lock goes with its process.
 */
public final class WorkDirectory {

  private static final String PREFIX = "twophase-demo-";
  private static final String LOCK = "in-use";

  private WorkDirectory() {}

  /** Makes one that is removed at exit, also at Ctrl-C. */
  public static Path temporary() throws IOException {
    // First, because a class that registers a hook cannot be loaded once the JVM is going down.
    Jvm.endAllAtExit();
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    removeAbandoned(parent);
    Path directory = makeIn(parent);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> removeAtExit(directory)));
    return directory;
  }

  /** Makes one that is in use until this JVM ends. */
  static Path makeIn(Path parent) throws IOException {
    Path directory = Files.createTempDirectory(parent, PREFIX);
    FileChannel channel = FileChannel.open(directory.resolve(LOCK), CREATE_NEW, WRITE);
    if (channel.tryLock() == null) {
      throw new IOException("Somebody else holds the new lock " + directory.resolve(LOCK));
    }
    return directory;
  }

  /** Removes those of killed demos. */
  static void removeAbandoned(Path parent) throws IOException {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path directory : directories) {
        if (isAbandoned(directory)) {
          remove(directory);
        }
      }
    }
  }

  private static boolean isAbandoned(Path directory) throws IOException {
    Path lock = directory.resolve(LOCK);
    if (!Files.isWritable(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, WRITE);
        FileLock held = channel.tryLock()) {
      return held != null;
    } catch (OverlappingFileLockException ownDirectory) {
      return false;
    }
  }

  private static void removeAtExit(Path directory) {
    // Or else they would go on writing to it.
    Jvm.end();
    try {
      remove(directory);
    } catch (IOException error) {
      System.err.println("Could not remove " + directory + ": " + error);
    }
  }

  private static void remove(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException error)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
