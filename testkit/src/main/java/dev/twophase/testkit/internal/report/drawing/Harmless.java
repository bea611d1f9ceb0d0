package dev.twophase.testkit.internal.report.drawing;

/** Text of anybody's, made such that it can be written as UTF-8 and shows in the order it has. */
public final class Harmless {

  private static final char REPLACEMENT = '\uFFFD';

  private Harmless() {}

  /**
   * The text, with a mark in the place of each control character other than a line break and a tab,
   * of each mark that turns the direction in which text is shown, and of each half of a character.
   */
  public static String of(String text) {
    StringBuilder harmless = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isControl(c) || turns(c) || isHalf(text, i) || c == '\uFFFE' || c == '\uFFFF') {
        harmless = harmless == null ? new StringBuilder(text) : harmless;
        harmless.setCharAt(i, REPLACEMENT);
      }
    }
    return harmless == null ? text : harmless.toString();
  }

  private static boolean isControl(char c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t';
  }

  /** Embeddings and overrides, isolates, and marks. */
  private static boolean turns(char c) {
    return (c >= '\u202A' && c <= '\u202E')
        || (c >= '\u2066' && c <= '\u2069')
        || c == '\u200E'
        || c == '\u200F'
        || c == '\u061C';
  }

  /** As is left where a text is cut. */
  private static boolean isHalf(String text, int index) {
    char c = text.charAt(index);
    return Character.isHighSurrogate(c)
        ? index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1))
        : Character.isLowSurrogate(c)
            && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }
}
