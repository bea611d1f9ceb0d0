package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.ManifestName;
import dev.twophase.file.internal.publish.ManifestText;
import dev.twophase.file.internal.publish.SinceMarks;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
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
import java.util.UUID;

/** Published files taken out of sight. */
final class Retirement {

  private final Storage storage;
  private final String sinkName;
  private final String manifests;
  private final String records;

  Retirement(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
    this.manifests = FileNames.manifestDirectory(sinkName) + "/";
    this.records = FileNames.retiredList(sinkName);
  }

  /** Manifests first. */
  List<String> find(long checkpointId) throws IOException {
    List<String> found = new ArrayList<>();
    for (String path : storage.visibleFiles()) {
      if (transactionOf(path).filter(id -> id.since() >= checkpointId).isPresent()) {
        found.add(path);
      }
    }
    found.sort(
        Comparator.comparing((String path) -> !path.startsWith(manifests))
            .thenComparing(Comparator.naturalOrder()));
    return found;
  }

  private Optional<TransactionId> transactionOf(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return path.startsWith(manifests)
        ? ManifestName.afterCheckpoint(name, sinkName).map(ManifestName::transaction)
        : FileNames.transactionOfPublished(name, sinkName);
  }

  void retire(List<String> paths, long checkpointId) throws IOException {
    if (!paths.isEmpty()) {
      record(paths);
      for (String path : paths) {
        move(path);
      }
    }
    SinceMarks.forget(storage, sinkName, checkpointId);
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
    byte[] text = new ManifestText(true, entries).format().getBytes(StandardCharsets.UTF_8);
    String unique = UUID.randomUUID().toString();
    String written = FileNames.HIDDEN + "/" + sinkName + ".retiring-" + unique;
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
