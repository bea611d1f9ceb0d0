package dev.twophase.file.internal.write;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Encodes text straight into a buffer. Characters pass through one reused array, because only there
 * does the JDK encode many at a time without allocating. Unpaired surrogates become {@code ?}, as
 * in {@link String#getBytes}. Not thread-safe.
 */
final class Utf8 {

  private static final int CHUNK = 1 << 10;

  private final char[] chars = new char[CHUNK];
  private final CharBuffer source = CharBuffer.wrap(chars);
  private final CharsetEncoder encoder =
      StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  /** Takes the next characters of a text and returns the index of the first not taken. */
  int load(String text, int from) {
    int end = Math.min(text.length(), from + CHUNK);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    text.getChars(from, end, chars, 0);
    source.limit(end - from).position(0);
    return end;
  }

  /**
   * Encodes what was loaded, from the target's position on.
   *
   * @return whether all of it fitted; if not, call again with another target
   */
  boolean encode(ByteBuffer target) {
    return encoder.encode(source, target, true).isUnderflow();
  }
}
