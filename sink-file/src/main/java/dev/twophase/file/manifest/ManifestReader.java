package dev.twophase.file.manifest;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.Directories;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.ManifestText;
import dev.twophase.file.internal.storage.FileStatus;
import dev.twophase.file.internal.storage.LocalStorage;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lists the files that a sink with manifests has published, whole checkpoints at a time: a
 * checkpoint counts once the part of every subtask is there, and then everything up to it does.
 * Follows a directory as it grows:
 *
 * <pre>{@code
 * ManifestReader reader = ManifestReader.of(Path.of("/data/orders"), "orders");
 * for (CommittedFile file : reader.readNew()) {
 *   reader.verify(file);
 * }
 * }</pre>
 *
 * <p>Needs no Flink, and Hadoop's client only for directories of Hadoop's file systems.
 *
 * <p>After a rewind that was accepted, checkpoint numbers begin again below the highest complete
 * one; until they have passed it, files are listed as their subtasks publish them.
 *
 * <p>Not thread-safe.
 */
public final class ManifestReader implements AutoCloseable {

  private final Storage storage;
  private final String sinkName;
  private final String manifests;
  private final Map<String, ManifestText> parsed = new HashMap<>();
  private final Set<String> delivered = new HashSet<>();

  private ManifestReader(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
    this.manifests = FileNames.manifestDirectory(sinkName);
  }

  /**
   * A reader that has delivered nothing yet.
   *
   * @param directory the sink's directory, on a local or mounted file system
   * @throws IllegalArgumentException if the name is not valid
   */
  public static ManifestReader of(Path directory, String sinkName) {
    return new ManifestReader(new LocalStorage(directory), TransactionId.checkSinkName(sinkName));
  }

  /**
   * A reader that has delivered nothing yet; to be closed, unless the directory is a local one.
   *
   * @param directory the sink's directory: {@code file:}, {@code hdfs:} or another Hadoop file
   *     system that the sink can write to
   * @param hadoopOptions on top of {@code core-site.xml} and {@code hdfs-site.xml} on the class
   *     path
   * @throws IllegalArgumentException if the name is not valid, or no sink can write there
   * @throws IOException if the file system cannot be reached
   */
  public static ManifestReader of(URI directory, String sinkName, Map<String, String> hadoopOptions)
      throws IOException {
    TransactionId.checkSinkName(sinkName);
    Directories.check(directory);
    return new ManifestReader(
        Directories.storage(directory, hadoopOptions).open(directory), sinkName);
  }

  /**
   * The latest checkpoint of which everything is visible; empty if there is none.
   *
   * @throws IOException if the manifests cannot be read
   */
  public OptionalLong latestCheckpoint() throws IOException {
    return latestOf(names());
  }

  /**
   * All files up to the latest complete checkpoint, in the order of checkpoints.
   *
   * @throws IOException if the manifests cannot be read
   */
  public List<CommittedFile> readAll() throws IOException {
    return files(names(), Set.of());
  }

  /**
   * Those that neither this method nor {@link #skip} has passed before.
   *
   * @throws IOException if the manifests cannot be read; nothing counts as delivered then
   */
  public List<CommittedFile> readNew() throws IOException {
    List<ManifestPart> names = names();
    List<CommittedFile> files = files(names, delivered);
    visible(names).forEach(name -> delivered.add(name.text()));
    return files;
  }

  /**
   * Passes over everything that is visible now.
   *
   * @throws IOException if the manifests cannot be read
   */
  public void skip() throws IOException {
    visible(names()).forEach(name -> delivered.add(name.text()));
  }

  /**
   * Checks length and checksum of a file.
   *
   * @throws IOException if it is missing or differs, naming it and what was found
   */
  public void verify(CommittedFile file) throws IOException {
    FileStatus found = storage.status(file.path());
    if (found.isAbsent()) {
      throw new NoSuchFileException(storage.fullName(file.path()));
    }
    if (!found.isFile() || found.length() != file.length()) {
      throw new IOException(
          storage.fullName(file.path())
              + " is "
              + found
              + " instead of one of the "
              + file.length()
              + " bytes published");
    }
    if (storage.checksum(file.path()) != file.checksum()) {
      throw new IOException(
          storage.fullName(file.path()) + " has the length published but another content");
    }
  }

  /**
   * The content of a file.
   *
   * @return to be closed by the caller
   * @throws IOException if it cannot be opened
   */
  public InputStream open(CommittedFile file) throws IOException {
    return storage.open(file.path());
  }

  /** Releases the client of a Hadoop file system. */
  @Override
  public void close() throws IOException {
    storage.close();
  }

  private List<CommittedFile> files(List<ManifestPart> names, Set<String> without)
      throws IOException {
    List<CommittedFile> files = new ArrayList<>();
    for (ManifestPart name : visible(names)) {
      if (!without.contains(name.text())) {
        for (ManifestText.Entry entry : text(name).entries()) {
          files.add(
              new CommittedFile(entry.path(), entry.length(), entry.checksum(), name.checkpoint()));
        }
      }
    }
    return files;
  }

  private List<ManifestPart> visible(List<ManifestPart> names) throws IOException {
    OptionalLong latest = latestOf(names);
    return latest.isEmpty()
        ? List.of()
        : names.stream().filter(name -> name.checkpoint() <= latest.getAsLong()).toList();
  }

  private OptionalLong latestOf(List<ManifestPart> names) throws IOException {
    // Per checkpoint and number of parts: after a rewind the same number may come again.
    TreeMap<Long, Map<Integer, Set<Integer>>> seen = new TreeMap<>();
    Map<Integer, Map<Integer, Long>> ended = new HashMap<>();
    for (ManifestPart name : names) {
      int subtask = name.transaction().subtask();
      seen.computeIfAbsent(name.checkpoint(), checkpoint -> new HashMap<>())
          .computeIfAbsent(name.parts(), parts -> new HashSet<>())
          .add(subtask);
      if (text(name).last()) {
        ended
            .computeIfAbsent(name.parts(), parts -> new HashMap<>())
            .merge(subtask, name.checkpoint(), Math::min);
      }
    }
    for (var checkpoint : seen.descendingMap().entrySet()) {
      for (var subtasks : checkpoint.getValue().entrySet()) {
        Map<Integer, Long> over = ended.getOrDefault(subtasks.getKey(), Map.of());
        if (isComplete(checkpoint.getKey(), subtasks.getKey(), subtasks.getValue(), over)) {
          return OptionalLong.of(checkpoint.getKey());
        }
      }
    }
    return OptionalLong.empty();
  }

  private static boolean isComplete(
      long checkpoint, int parts, Set<Integer> present, Map<Integer, Long> ended) {
    for (int subtask = 0; subtask < parts; subtask++) {
      if (!present.contains(subtask) && ended.getOrDefault(subtask, Long.MAX_VALUE) > checkpoint) {
        return false;
      }
    }
    return true;
  }

  private List<ManifestPart> names() throws IOException {
    List<ManifestPart> names = new ArrayList<>();
    for (String name : storage.names(manifests)) {
      ManifestPart.parse(name, sinkName).ifPresent(names::add);
    }
    names.sort(
        Comparator.comparingLong(ManifestPart::checkpoint)
            .thenComparingInt(name -> name.transaction().subtask())
            .thenComparing(ManifestPart::text));
    return names;
  }

  private ManifestText text(ManifestPart name) throws IOException {
    ManifestText known = parsed.get(name.text());
    if (known == null) {
      String path = manifests + "/" + name.text();
      try (InputStream in = storage.open(path)) {
        known = ManifestText.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException error) {
        throw new IOException(
            "Cannot read the manifest " + storage.fullName(path) + ": " + error.getMessage(),
            error);
      }
      parsed.put(name.text(), known);
    }
    return known;
  }
}
