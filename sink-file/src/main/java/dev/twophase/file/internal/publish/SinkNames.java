package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.storage.Storage;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which sinks have written in a directory, so that a misspelt name or directory is told from a sink
 * without data.
 */
public final class SinkNames {

  private SinkNames() {}

  /**
   * What is there instead of a sink, for people.
   *
   * @return empty if the sink has written there
   */
  public static Optional<String> insteadOf(Storage storage, String sinkName) throws IOException {
    if (isThere(storage, FileNames.stagingDirectory(sinkName))
        || isThere(storage, FileNames.manifestDirectory(sinkName))) {
      return Optional.empty();
    }
    String said = "No sink '" + sinkName + "' has written in " + storage.base() + ": ";
    if (!isThere(storage, "")) {
      return Optional.of(said + "there is no such directory");
    }
    Set<String> others = new TreeSet<>();
    for (String name : storage.names(FileNames.HIDDEN)) {
      // What else lies there has a dot in its name.
      if (isSinkName(name)) {
        others.add("'" + name + "'");
      }
    }
    return Optional.of(
        said
            + (others.isEmpty() ? "no sink has" : String.join(", ", others))
            + (others.isEmpty() ? "" : others.size() == 1 ? " has" : " have"));
  }

  private static boolean isThere(Storage storage, String directory) throws IOException {
    return !storage.status(directory).isAbsent();
  }

  private static boolean isSinkName(String name) {
    try {
      TransactionId.checkSinkName(name);
      return true;
    } catch (IllegalArgumentException other) {
      return false;
    }
  }
}
