package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.LineNotes;
import dev.twophase.file.internal.LineNotes.Note;
import dev.twophase.file.internal.LineNotes.Reason;
import dev.twophase.file.internal.bucket.BucketNotes;
import dev.twophase.file.internal.bucket.MarkedBuckets;
import dev.twophase.file.internal.bucket.MarkedBuckets.Marked;
import dev.twophase.file.internal.bucket.Progress;
import dev.twophase.file.internal.manifest.ManifestName;
import dev.twophase.file.internal.manifest.ManifestText;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.PublishedFiles;
import dev.twophase.file.internal.publish.RunMark;
import dev.twophase.file.internal.publish.SinceMarks;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.UniquePart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Published files taken out of sight. */
final class Retirement {

  // No sink's name has a dot.
  private static final String RETIRING = ".retiring-";
  private static final Pattern UNIQUE = Pattern.compile(UniquePart.REGEX);

  private final Storage storage;
  private final String sinkName;
  private final String manifests;
  private final String records;
  private final MarkedBuckets marked;
  private final BucketNotes notes;

  Retirement(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
    this.manifests = FileNames.manifestDirectory(sinkName) + "/";
    this.records = FileNames.retiredList(sinkName);
    this.marked = new MarkedBuckets(storage, sinkName);
    this.notes = new BucketNotes(storage, sinkName);
  }

  /** Markers first, then manifests: neither may outlive what it vouches for. */
  List<String> find(long checkpointId) throws IOException {
    List<String> markers = new ArrayList<>();
    for (Marked marker : marked.after(checkpointId)) {
      if (storage.status(marker.path()).isFile()) {
        markers.add(marker.path());
      }
    }
    List<String> found = new ArrayList<>();
    for (String path : new PublishedFiles(storage, sinkName).all()) {
      if (transactionOf(path).filter(id -> id.since() >= checkpointId).isPresent()) {
        found.add(path);
      }
    }
    found.sort(
        Comparator.comparing((String path) -> !path.startsWith(manifests))
            .thenComparing(Comparator.naturalOrder()));
    found.addAll(0, markers);
    return found;
  }

  private Optional<TransactionId> transactionOf(String path) {
    String name = FileNames.nameOf(path);
    return path.startsWith(manifests)
        ? ManifestName.afterCheckpoint(name, sinkName).map(ManifestName::transaction)
        : FileNames.transactionOfPublished(name, sinkName);
  }

  /**
   * @param line above those of all jobs that have published, whose later checkpoints are left
   */
  void retire(List<String> paths, long checkpointId, long line) throws IOException {
    Optional<TransactionId> retired = anyOf(paths, checkpointId);
    if (retired.isPresent()) {
      // First: restored, they would miss what is taken away here.
      new LineNotes(storage, sinkName)
          .leave(new Note(line, checkpointId, Reason.RETIRED, retired.get()));
    }
    if (!paths.isEmpty()) {
      record(paths);
    }
    List<Marked> markers = marked.after(checkpointId);
    for (Marked marker : markers) {
      remove(marker);
    }
    for (String path : paths) {
      if (!storage.status(path).isAbsent()) {
        move(path);
      }
    }
    for (Marked marker : markers) {
      marked.forget(marker);
    }
    forgetProgressSince(checkpointId);
    RunMark.forgetEnds(storage, sinkName, checkpointId);
    SinceMarks.forget(storage, sinkName, checkpointId);
  }

  /** By a mark where consumers have taken the files away. */
  private Optional<TransactionId> anyOf(List<String> paths, long checkpointId) throws IOException {
    Optional<TransactionId> published =
        paths.stream().map(this::transactionOf).flatMap(Optional::stream).findFirst();
    return published.isPresent()
        ? published
        : SinceMarks.highest(storage, sinkName).filter(mark -> mark.since() >= checkpointId);
  }

  List<String> recorded() throws IOException {
    Set<String> all = new TreeSet<>();
    for (String name : storage.names(records)) {
      try (InputStream in = storage.open(records + "/" + name)) {
        ManifestText text =
            ManifestText.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        text.entries().forEach(entry -> all.add(entry.path()));
      }
    }
    return List.copyOf(all);
  }

  private void record(List<String> paths) throws IOException {
    List<ManifestText.Entry> entries = new ArrayList<>();
    for (String path : paths) {
      entries.add(
          new ManifestText.Entry(path, storage.status(path).length(), storage.checksum(path)));
    }
    byte[] text = new ManifestText(entries).format().getBytes(StandardCharsets.UTF_8);
    removeUnfinishedLists();
    String unique = UniquePart.next();
    String written = FileNames.HIDDEN + "/" + sinkName + RETIRING + unique;
    storage.makeDirectories(records);
    try (StagedOutput output = storage.create(written)) {
      output.write(text, 0, text.length);
      output.sync();
    }
    if (storage.publish(written, records + "/" + unique)) {
      storage.delete(written);
    }
    sync(records);
  }

  /** Nothing is kept of a marker, an empty file; the next line makes it again. */
  private void remove(Marked marker) throws IOException {
    notes.reopen(marker.bucket());
    if (!storage.status(marker.path()).isAbsent()) {
      storage.delete(marker.path());
      storage.syncDirectory(marker.bucket());
    }
  }

  /** What the abandoned line has told of its progress says nothing about the next one. */
  private void forgetProgressSince(long checkpointId) throws IOException {
    String progress = FileNames.progressDirectory(sinkName);
    for (String name : storage.names(progress)) {
      if (Progress.parse(name).filter(told -> told.checkpoint() > checkpointId).isPresent()) {
        storage.delete(progress + "/" + name);
      }
    }
    notes.takeRecordsAgain();
  }

  /** Of a process that was killed while it wrote one. */
  private void removeUnfinishedLists() throws IOException {
    for (String name : storage.names(FileNames.HIDDEN)) {
      if (name.startsWith(sinkName + RETIRING)
          && UNIQUE.matcher(name.substring((sinkName + RETIRING).length())).matches()) {
        storage.delete(FileNames.HIDDEN + "/" + name);
      }
    }
  }

  private void move(String path) throws IOException {
    String retired = FileNames.retiredDirectory(sinkName) + "/" + path;
    storage.makeDirectories(parent(retired));
    boolean remains;
    try {
      remains = storage.publish(path, retired);
    } catch (FileAlreadyExistsException taken) {
      // Only where a name and its link both outlived a crash.
      if (!storage.sameFile(path, retired)) {
        throw taken;
      }
      remains = true;
    }
    sync(parent(retired));
    if (remains) {
      storage.delete(path);
    }
    storage.syncDirectory(parent(path));
  }

  private void sync(String directory) throws IOException {
    for (String each = directory; !each.isEmpty(); each = parent(each)) {
      storage.syncDirectory(each);
    }
    storage.syncDirectory("");
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }
}
