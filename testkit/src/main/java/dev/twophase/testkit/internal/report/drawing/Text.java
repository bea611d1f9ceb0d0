package dev.twophase.testkit.internal.report.drawing;

/** Puts text into a picture, which has no line breaks. */
final class Text {

  private Text() {}

  /** Puts as many letters as fit; the whole appears when the pointer rests on it. */
  static void put(Markup out, String text, int letters, String type, double x, double y) {
    out.open("text", "class", type, "x", x, "y", y);
    if (text.length() > letters) {
      out.element("title", text);
      out.text(text.substring(0, letters - 1).stripTrailing() + "…");
    } else {
      out.text(text);
    }
    out.close();
  }
}
