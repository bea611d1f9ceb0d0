package dev.twophase.jdbc.internal.rows;

/** Text to bytes, without garbage, and without replacing what cannot be written. */
final class Utf8 {

  private Utf8() {}

  /**
   * Encodes a text.
   *
   * @param target has room for three bytes per character
   * @return where the encoded text ends
   */
  static int encode(String text, byte[] target, int start, boolean storesNul) {
    int position = start;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        if (c == 0 && !storesNul) {
          throw new IllegalArgumentException(
              "text holds the character NUL (at "
                  + i
                  + "), which this database cannot store in text: remove it, or write bytes");
        }
        target[position++] = (byte) c;
      } else if (c < 0x800) {
        target[position++] = (byte) (0xc0 | (c >> 6));
        target[position++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isSurrogate(c)) {
        int point = text.codePointAt(i);
        if (point == c) {
          throw new IllegalArgumentException(
              "text holds half a character (an unpaired surrogate, at " + i + ")");
        }
        i++;
        target[position++] = (byte) (0xf0 | (point >> 18));
        target[position++] = (byte) (0x80 | ((point >> 12) & 0x3f));
        target[position++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        target[position++] = (byte) (0x80 | (point & 0x3f));
      } else {
        target[position++] = (byte) (0xe0 | (c >> 12));
        target[position++] = (byte) (0x80 | ((c >> 6) & 0x3f));
        target[position++] = (byte) (0x80 | (c & 0x3f));
      }
    }
    return position;
  }
}
