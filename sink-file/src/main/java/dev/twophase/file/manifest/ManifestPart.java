package dev.twophase.file.manifest;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.publish.ManifestName;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A visible part of a checkpoint's manifest, by its name. */
record ManifestPart(long checkpoint, ManifestName name, String text) {

  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.(.+)");

  static Optional<ManifestPart> parse(String text, String sinkName) {
    Matcher matcher = NAME.matcher(text);
    return matcher.matches()
        ? ManifestName.parse(matcher.group(2), sinkName)
            .map(name -> new ManifestPart(Long.parseLong(matcher.group(1)), name, text))
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
