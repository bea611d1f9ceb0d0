package dev.twophase.file.manifest;

import dev.twophase.TransactionId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code CHECKPOINT.PARTS.TRANSACTION}, the name of one part of a checkpoint's manifest. */
record ManifestName(long checkpoint, int parts, TransactionId transaction, String text) {

  private static final Pattern NAME = Pattern.compile("(\\d{1,19})\\.(\\d{1,10})\\.(.+)");

  static Optional<ManifestName> parse(String text, String sinkName) {
    Matcher matcher = NAME.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      long checkpoint = Long.parseLong(matcher.group(1));
      int parts = Integer.parseInt(matcher.group(2));
      return TransactionId.parse(matcher.group(3))
          .filter(id -> id.sinkName().equals(sinkName))
          .map(id -> new ManifestName(checkpoint, parts, id, text));
    } catch (NumberFormatException outOfRange) {
      return Optional.empty();
    }
  }
}
