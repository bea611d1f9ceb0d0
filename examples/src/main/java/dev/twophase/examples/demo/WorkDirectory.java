package dev.twophase.examples.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Where the demo writes: a directory of the user's choice, or one that goes when the JVM does. */
final class WorkDirectory {

  private WorkDirectory() {}

  /** Makes one that is removed at exit, also at Ctrl-C. */
  static Path temporary() throws IOException {
    // First, because a class that registers a hook cannot be loaded once the JVM is going down.
    Jvm.endAllAtExit();
    Path directory = Files.createTempDirectory("twophase-demo-");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> removeAtExit(directory)));
    return directory;
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
