package dev.twophase.file;

import dev.twophase.TransactionalConnector;
import dev.twophase.file.internal.storage.StorageFactory;
import dev.twophase.file.manifest.CommittedFile;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Opening;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.commons.io.FilenameUtils;
import org.apache.commons.io.IOUtils;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;

/** Opens file connectors as tests want them, and looks at the disk. */
public final class Sinks {

  private Sinks() {}

  /** Buckets by what stands before the first colon, if there is one. */
  public static final class BeforeColon implements BucketAssigner<String, String> {
    @Override
    public String getBucketId(String record, Context context) {
      int colon = record.indexOf(':');
      return colon < 0 ? "" : record.substring(0, colon);
    }

    @Override
    public SimpleVersionedStringSerializer getSerializer() {
      return SimpleVersionedStringSerializer.INSTANCE;
    }
  }

  public static DrivenConnector<String, ?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name) throws Exception {
    return writer(connector, name, 0);
  }

  /** Of two, or more if the index says so. */
  public static DrivenConnector<String, ?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name, int subtask) throws Exception {
    return writer(connector, name, subtask, Math.max(2, subtask + 1));
  }

  public static DrivenConnector<String, ?, ?> writer(
      TransactionalConnector<String, ?, ?> connector, String name, int subtask, int parallelism)
      throws Exception {
    return DrivenConnector.open(connector, Opening.writer(name).at(subtask, parallelism));
  }

  public static DrivenConnector<String, ?, ?> writerOfJob(
      String job, TransactionalConnector<String, ?, ?> connector, String name, int subtask)
      throws Exception {
    return DrivenConnector.open(
        connector, Opening.writer(name).at(subtask, Math.max(2, subtask + 1)).inJob(job));
  }

  public static DrivenConnector<String, ?, ?> committer(
      TransactionalConnector<String, ?, ?> connector, String name) throws Exception {
    return DrivenConnector.open(connector, Opening.committer(name).at(0, 2));
  }

  /** A sink on a storage of the test's choice. */
  public static <T> TransactionalFileSink<T> on(
      StorageFactory storage, TransactionalFileSink<T> sink) {
    return sink.storageFactory(storage);
  }

  /** Visible files, relative to the directory. */
  public static List<Path> visible(Path directory) {
    return files(directory).stream().filter(path -> !isHidden(path)).toList();
  }

  /** What is not published, relative to the directory. */
  public static List<Path> hidden(Path directory) {
    return files(directory).stream().filter(Sinks::isHidden).toList();
  }

  /** All visible lines, sorted. */
  public static List<String> lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : visible(directory)) {
      lines.addAll(Files.readAllLines(directory.resolve(file)));
    }
    return lines.stream().sorted().toList();
  }

  /** All lines of files that manifests list, in the order given; each file is verified. */
  public static List<String> lines(ManifestReader reader, List<CommittedFile> files)
      throws IOException {
    List<String> lines = new ArrayList<>();
    for (CommittedFile file : files) {
      reader.verify(file);
      try (InputStream in = reader.open(file)) {
        lines.addAll(IOUtils.readLines(in, StandardCharsets.UTF_8));
      }
    }
    return lines;
  }

  /** Visible files with the attributes they have. */
  public static void forEachVisible(Path directory, BiConsumer<Path, BasicFileAttributes> action) {
    forEach(
        directory,
        (file, attributes) -> {
          if (!isHidden(directory.relativize(file))) {
            action.accept(file, attributes);
          }
        },
        below -> !below.getFileName().toString().startsWith("."));
  }

  private static List<Path> files(Path directory) {
    List<Path> files = new ArrayList<>();
    forEach(directory, (file, attributes) -> files.add(directory.relativize(file)), below -> true);
    return files.stream().sorted().toList();
  }

  private static void forEach(
      Path directory, BiConsumer<Path, BasicFileAttributes> action, Predicate<Path> enters) {
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes) {
              return !directory.equals(below.getParent()) || enters.test(below)
                  ? FileVisitResult.CONTINUE
                  : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              action.accept(file, attributes);
              return FileVisitResult.CONTINUE;
            }

            /** A job may be at work. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException error)
                throws IOException {
              if (error instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw error;
            }
          });
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static boolean isHidden(Path path) {
    return FilenameUtils.getName(path.toString()).startsWith(".")
        || path.getName(0).toString().startsWith(".");
  }
}
