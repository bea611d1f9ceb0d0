package dev.twophase.file.manifest;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.manifest.ManifestName;
import dev.twophase.file.internal.publish.FileNames;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A visible part of a checkpoint's manifest, by its name.
 *
 * @param path below the sink's directory
 */
record ManifestPart(long checkpoint, ManifestName name, String path) {

  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.(.+)");

  static Optional<ManifestPart> parse(String path, String sinkName) {
    Matcher matcher = NAME.matcher(FileNames.nameOf(path));
    return matcher.matches()
        ? ManifestName.parse(matcher.group(2), sinkName)
            .map(name -> new ManifestPart(Long.parseLong(matcher.group(1)), name, path))
        : Optional.empty();
  }

  int parts() {
    return name.parts();
  }

  long line() {
    return name.line();
  }

  boolean last() {
    return name.last();
  }

  TransactionId transaction() {
    return name.transaction();
  }
}
