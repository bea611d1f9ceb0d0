package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;
import org.apache.commons.io.file.SimplePathVisitor;

/**
 * Looks for a file by its path in a tree that others change meanwhile, leaving out hidden
 * directories.
 */
final class VisibleFileSearch extends SimplePathVisitor {

  private final Path base;
  private final Storage.Entrance entrance;
  private final Predicate<String> matches;
  private boolean found;

  VisibleFileSearch(Path base, Storage.Entrance entrance, Predicate<String> matches) {
    this.base = base;
    this.entrance = entrance;
    this.matches = matches;
  }

  boolean found() {
    return found;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
      throws IOException {
    boolean enter =
        directory.equals(base)
            || (!directory.getFileName().toString().startsWith(".")
                && entrance.opens(base.relativize(directory).toString()));
    return enter ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    found = matches.test(base.relativize(file).toString());
    return found ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
    if (error instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw error;
  }
}
