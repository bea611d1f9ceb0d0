package dev.twophase.file.manifest;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.ManifestText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

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
 * <p>After a rewind that was accepted, checkpoint numbers begin again below the highest complete
 * one; until they have passed it, files are listed as their subtasks publish them.
 *
 * <p>Not thread-safe.
 */
public final class ManifestReader {

  private final Path directory;
  private final String sinkName;
  private final Map<String, ManifestText> parsed = new HashMap<>();
  private final Set<String> delivered = new HashSet<>();

  private ManifestReader(Path directory, String sinkName) {
    this.directory = directory;
    this.sinkName = TransactionId.checkSinkName(sinkName);
  }

  /**
   * A reader that has delivered nothing yet.
   *
   * @param directory the sink's directory, on a local or mounted file system
   * @throws IllegalArgumentException if the name is not valid
   */
  public static ManifestReader of(Path directory, String sinkName) {
    return new ManifestReader(directory, sinkName);
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
    List<ManifestName> names = names();
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
    Path path = directory.resolve(file.path());
    long length = Files.size(path);
    if (length != file.length()) {
      throw new IOException(
          path + " has " + length + " bytes instead of the " + file.length() + " published");
    }
    CRC32C checksum = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(path), checksum)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    if ((int) checksum.getValue() != file.checksum()) {
      throw new IOException(path + " has the length published but another content");
    }
  }

  private List<CommittedFile> files(List<ManifestName> names, Set<String> without)
      throws IOException {
    List<CommittedFile> files = new ArrayList<>();
    for (ManifestName name : visible(names)) {
      if (!without.contains(name.text())) {
        for (ManifestText.Entry entry : text(name).entries()) {
          files.add(
              new CommittedFile(entry.path(), entry.length(), entry.checksum(), name.checkpoint()));
        }
      }
    }
    return files;
  }

  private List<ManifestName> visible(List<ManifestName> names) throws IOException {
    OptionalLong latest = latestOf(names);
    return latest.isEmpty()
        ? List.of()
        : names.stream().filter(name -> name.checkpoint() <= latest.getAsLong()).toList();
  }

  private OptionalLong latestOf(List<ManifestName> names) throws IOException {
    // Per checkpoint and number of parts: after a rewind the same number may come again.
    TreeMap<Long, Map<Integer, Set<Integer>>> seen = new TreeMap<>();
    Map<Integer, Map<Integer, Long>> ended = new HashMap<>();
    for (ManifestName name : names) {
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

  private List<ManifestName> names() throws IOException {
    List<ManifestName> names = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(directory.resolve(FileNames.manifestDirectory(sinkName)))) {
      for (Path entry : entries) {
        ManifestName.parse(entry.getFileName().toString(), sinkName).ifPresent(names::add);
      }
    } catch (NoSuchFileException noneYet) {
      return List.of();
    }
    names.sort(
        Comparator.comparingLong(ManifestName::checkpoint)
            .thenComparingInt(name -> name.transaction().subtask())
            .thenComparing(ManifestName::text));
    return names;
  }

  private ManifestText text(ManifestName name) throws IOException {
    ManifestText known = parsed.get(name.text());
    if (known == null) {
      Path path = directory.resolve(FileNames.manifestDirectory(sinkName)).resolve(name.text());
      try {
        known = ManifestText.parse(Files.readString(path));
      } catch (IOException error) {
        throw new IOException(
            "Cannot read the manifest " + path + ": " + error.getMessage(), error);
      }
      parsed.put(name.text(), known);
    }
    return known;
  }
}
