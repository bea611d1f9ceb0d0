package dev.twophase.file.upkeep;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.manifest.ManifestName;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.publish.PublishedManifests;
import dev.twophase.file.internal.storage.FileStatus;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.upkeep.StagedFile.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Staged files that nobody will publish. */
final class Orphans {

  private final Storage storage;
  private final String sinkName;

  Orphans(Storage storage, String sinkName) {
    this.storage = storage;
    this.sinkName = sinkName;
  }

  List<StagedFile> find(SavedTransactions saved) throws IOException {
    Set<TransactionId> published = withManifest();
    String staging = FileNames.stagingDirectory(sinkName);
    List<StagedFile> found = new ArrayList<>();
    for (String name : storage.names(staging)) {
      Optional<TransactionId> id = FileNames.transactionOfStaged(name, sinkName);
      if (id.isPresent() && (published.contains(id.get()) || !saved.contains(id.get()))) {
        String path = staging + "/" + name;
        FileStatus status = storage.status(path);
        if (status.isFile()) {
          Reason reason = published.contains(id.get()) ? Reason.PUBLISHED : Reason.IN_NO_STATE;
          found.add(new StagedFile(path, status.length(), id.get(), reason));
        }
      }
    }
    return found;
  }

  void remove(List<StagedFile> orphans) throws IOException {
    if (orphans.stream().anyMatch(file -> file.reason() == Reason.PUBLISHED)) {
      // The manifest must outlive a power failure before what it vouches for loses a name.
      new PublishedManifests(storage, sinkName).sync();
    }
    for (StagedFile orphan : orphans) {
      storage.delete(orphan.path());
    }
  }

  private Set<TransactionId> withManifest() throws IOException {
    Set<TransactionId> published = new HashSet<>();
    for (String path : new PublishedManifests(storage, sinkName).paths()) {
      ManifestName.afterCheckpoint(FileNames.nameOf(path), sinkName)
          .ifPresent(manifest -> published.add(manifest.transaction()));
    }
    return published;
  }
}
