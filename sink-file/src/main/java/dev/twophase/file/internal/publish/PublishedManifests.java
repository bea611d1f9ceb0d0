package dev.twophase.file.internal.publish;

import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The manifests of a sink that can be seen, in directories by checkpoint or, older ones, in one.
 */
public final class PublishedManifests {

  private static final Pattern SPAN = Pattern.compile("\\d{1,19}-\\d{1,19}");

  private final Storage storage;
  private final String directory;

  public PublishedManifests(Storage storage, String sinkName) {
    this.storage = storage;
    this.directory = FileNames.manifestDirectory(sinkName);
  }

  /** The paths of all that lies there, in no order. A manifest that appears meanwhile may miss. */
  public List<String> paths() throws IOException {
    List<String> paths = new ArrayList<>();
    for (String name : storage.names(directory)) {
      String path = directory + "/" + name;
      if (SPAN.matcher(name).matches()) {
        storage.names(path).forEach(below -> paths.add(path + "/" + below));
      } else {
        paths.add(path);
      }
    }
    return paths;
  }

  /** Makes the names of all of them durable. */
  public void sync() throws IOException {
    for (String name : storage.names(directory)) {
      if (SPAN.matcher(name).matches()) {
        storage.syncDirectory(directory + "/" + name);
      }
    }
    storage.syncDirectory(directory);
  }
}
