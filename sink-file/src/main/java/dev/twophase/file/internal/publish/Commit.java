package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.manifest.ManifestName;
import java.util.Optional;

/**
 * What the publisher is asked to do.
 *
 * @param checkpointId the checkpoint that holds the handle
 */
public record Commit(TransactionId id, FileHandle handle, long checkpointId) {

  /** What the name of its part of the manifest tells; empty without manifests. */
  public Optional<ManifestName> manifestName() {
    return handle.manifest().flatMap(file -> ManifestName.parse(file.name(), id.sinkName()));
  }
}
