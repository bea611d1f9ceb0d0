package dev.twophase.file.manifest;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.Directories;
import dev.twophase.file.internal.OwnerMarks;
import dev.twophase.file.internal.manifest.ManifestText;
import dev.twophase.file.internal.publish.PublishedManifests;
import dev.twophase.file.internal.publish.RunMark;
import dev.twophase.file.internal.publish.SinkNames;
import dev.twophase.file.internal.storage.FileStatus;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files that a sink with manifests has published, whole checkpoints at a time: a
 * checkpoint counts once the part of every subtask is there that has not ended, and then everything
 * up to it does. Follows a directory as it grows:
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
 * <p>When a job goes back to an earlier checkpoint, what the abandoned line had published stays
 * listed, and the new line's checkpoints are whole as well; {@link #latestCheckpoint} goes back
 * with it. Jobs are told apart by their ids: where all share one, numbers that come again are not.
 *
 * <p>Not thread-safe.
 */
public final class ManifestReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ManifestReader.class);

  /** Files that are published change no more. */
  private static final String PUT_BACK =
      ". Find out what changes published files, and put this one back";

  private final Storage storage;
  private final String sinkName;
  private final PublishedManifests manifests;
  private final Map<String, ManifestText> parsed = new HashMap<>();
  private final Set<String> delivered = new HashSet<>();
  private boolean warned;

  private ManifestReader(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
    this.manifests = new PublishedManifests(storage, sinkName);
  }

  /**
   * A reader that has delivered nothing yet.
   *
   * @param directory the sink's directory, on a local or mounted file system
   * @throws IllegalArgumentException if the name is not valid, or the directory is a file
   */
  public static ManifestReader of(Path directory, String sinkName) {
    return new ManifestReader(
        Directories.existing(directory), TransactionId.checkSinkName(sinkName));
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
    return new ManifestReader(Directories.open(directory, hadoopOptions), sinkName);
  }

  /**
   * The latest checkpoint, in the line of the last job, of which everything is visible; empty if
   * there is none.
   *
   * @throws IOException if the manifests cannot be read
   */
  public OptionalLong latestCheckpoint() throws IOException {
    return lines().latest();
  }

  /**
   * Why nothing may ever come: no sink of this name has written in the directory, which others may
   * have, or it leaves no manifests. Also logged, once, by what finds no manifest.
   *
   * @return for people; empty once there are manifests
   * @throws IOException if the directory cannot be read
   */
  public Optional<String> whyEmpty() throws IOException {
    if (!parts().isEmpty()) {
      return Optional.empty();
    }
    Optional<String> instead = SinkNames.insteadOf(storage, sinkName);
    return instead.isPresent()
        ? instead
        : Optional.of(
            "Sink '"
                + sinkName
                + "' has published no manifest in "
                + storage.base()
                + " yet: it does with its first checkpoint, if manifests() are on");
  }

  /**
   * All files up to the latest complete checkpoint, in the order of checkpoints.
   *
   * @throws IOException if the manifests cannot be read
   */
  public List<CommittedFile> readAll() throws IOException {
    return files(lines().visible(), Set.of());
  }

  /**
   * Those that neither this method nor {@link #skip} has passed before.
   *
   * @throws IOException if the manifests cannot be read; nothing counts as delivered then
   */
  public List<CommittedFile> readNew() throws IOException {
    List<ManifestPart> visible = lines().visible();
    List<CommittedFile> files = files(visible, delivered);
    visible.forEach(name -> delivered.add(name.path()));
    return files;
  }

  /**
   * Passes over everything that is visible now.
   *
   * @throws IOException if the manifests cannot be read
   */
  public void skip() throws IOException {
    lines().visible().forEach(name -> delivered.add(name.path()));
  }

  /**
   * Checks length and checksum of a file.
   *
   * @throws IOException if it is missing or differs, naming it, what was found and what to do
   */
  public void verify(CommittedFile file) throws IOException {
    FileStatus found = storage.status(file.path());
    if (found.isAbsent()) {
      throw new NoSuchFileException(
          storage.fullName(file.path()),
          null,
          "its manifest lists it, but something has moved or removed it" + PUT_BACK);
    }
    if (!found.isFile() || found.length() != file.length()) {
      throw new IOException(
          storage.fullName(file.path())
              + " is "
              + found
              + " instead of one of the "
              + file.length()
              + " bytes published"
              + PUT_BACK);
    }
    if (storage.checksum(file.path()) != file.checksum()) {
      throw new IOException(
          storage.fullName(file.path())
              + " has the length published but another content"
              + PUT_BACK);
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
    for (ManifestPart name : names) {
      if (!without.contains(name.path())) {
        for (ManifestText.Entry entry : text(name).entries()) {
          files.add(
              new CommittedFile(entry.path(), entry.length(), entry.checksum(), name.checkpoint()));
        }
      }
    }
    return files;
  }

  /**
   * A listing takes its time, so it can show a part and miss an older one that appeared first. But
   * what comes up to a complete checkpoint was there before the listing that shows it complete had
   * ended: a second listing has it all.
   */
  private Lines lines() throws IOException {
    Set<ManifestPart> parts = new HashSet<>(parts());
    if (parts.isEmpty() && !warned) {
      warned = true;
      whyEmpty().ifPresent(LOG::warn);
    }
    List<RunMark> marks = RunMark.all(storage, sinkName);
    OptionalLong latest = new Lines(inOrder(parts), marks, newest()).latest();
    if (latest.isPresent()) {
      parts().stream().filter(part -> part.checkpoint() <= latest.getAsLong()).forEach(parts::add);
    }
    // An end that is told only by now may be of a part that neither listing shows.
    Stream<RunMark> starts = RunMark.all(storage, sinkName).stream().filter(mark -> !mark.ended());
    Stream<RunMark> ends = marks.stream().filter(RunMark::ended);
    return new Lines(inOrder(parts), Stream.concat(starts, ends).toList(), newest());
  }

  private long newest() throws IOException {
    return OwnerMarks.newest(storage, sinkName).orElse(Long.MAX_VALUE);
  }

  private List<ManifestPart> parts() throws IOException {
    List<ManifestPart> parts = new ArrayList<>();
    for (String path : manifests.paths()) {
      ManifestPart.parse(path, sinkName).ifPresent(parts::add);
    }
    return parts;
  }

  private static List<ManifestPart> inOrder(Set<ManifestPart> parts) {
    List<ManifestPart> names = new ArrayList<>(parts);
    names.sort(
        Comparator.comparingLong(ManifestPart::checkpoint)
            .thenComparingInt(name -> name.transaction().subtask())
            .thenComparing(ManifestPart::path));
    return names;
  }

  private ManifestText text(ManifestPart name) throws IOException {
    ManifestText known = parsed.get(name.path());
    if (known == null) {
      String path = name.path();
      try (InputStream in = storage.open(path)) {
        known = ManifestText.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException error) {
        throw new IOException(
            "Cannot read the manifest " + storage.fullName(path) + ": " + error.getMessage(),
            error);
      }
      parsed.put(name.path(), known);
    }
    return known;
  }
}
