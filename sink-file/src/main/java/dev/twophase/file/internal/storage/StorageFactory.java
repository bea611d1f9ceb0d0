package dev.twophase.file.internal.storage;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;

/** Opens the storage behind a directory. Serialized into the job, called on the cluster. */
@FunctionalInterface
public interface StorageFactory extends Serializable {

  Storage open(URI directory) throws IOException;
}
