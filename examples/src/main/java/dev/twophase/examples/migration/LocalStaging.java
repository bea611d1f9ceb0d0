package dev.twophase.examples.migration;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Staging in a local directory. */
public record LocalStaging(String directory) implements Staging, Serializable {

  private static final String STAGED = ".staged";
  private static final String VISIBLE = ".txt";

  private Path staged(String transaction) {
    return Path.of(directory, "." + transaction + STAGED);
  }

  private Path visible(String transaction) {
    return Path.of(directory, transaction + VISIBLE);
  }

  @Override
  public void append(String transaction, String line) {
    try {
      Files.writeString(
          staged(transaction), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  @Override
  public void sync(String transaction) {
    try (FileChannel file =
        FileChannel.open(
            staged(transaction), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.force(true);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  @Override
  public boolean publish(String transaction) {
    if (!Files.exists(staged(transaction))) {
      return false;
    }
    try {
      Files.move(staged(transaction), visible(transaction), StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  @Override
  public boolean isVisible(String transaction) {
    return Files.exists(visible(transaction));
  }

  @Override
  public void discard(String transaction) {
    try {
      Files.deleteIfExists(staged(transaction));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  @Override
  public List<String> staged() {
    return names(".", STAGED);
  }

  @Override
  public List<String> visible() {
    return names("", VISIBLE);
  }

  private List<String> names(String prefix, String suffix) {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix) && name.endsWith(suffix))
          .map(name -> name.substring(prefix.length(), name.length() - suffix.length()))
          .sorted()
          .toList();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
