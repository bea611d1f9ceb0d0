package dev.twophase.file.internal.publish;

import java.util.Objects;

/**
 * The manifest of a prepared transaction, staged like its files. Its visible name begins with the
 * checkpoint, which only the commit is told.
 *
 * @param file its bucket is the directory of the sink's manifests
 * @param name rest of the visible name
 */
public record PreparedManifest(PreparedFile file, String name) {

  public PreparedManifest {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(name, "name");
  }

  String target(long checkpointId) {
    return file.bucket() + "/" + checkpointId + "." + name;
  }
}
