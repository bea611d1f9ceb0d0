package dev.twophase.testkit.internal.report.drawing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes HTML and SVG. Names of elements and attributes are the caller's own; everything else is
 * escaped, wherever it comes from. Not thread-safe.
 */
public final class Markup {

  private final StringBuilder out = new StringBuilder(1 << 14);
  private final Deque<String> open = new ArrayDeque<>();

  /** Opens an element; attributes are names and values in turn. */
  public Markup open(String element, Object... attributes) {
    start(element, attributes).out.append('>');
    open.push(element);
    return this;
  }

  /** An element that has no content. */
  public Markup empty(String element, Object... attributes) {
    start(element, attributes).out.append("/>");
    return this;
  }

  /** An element whose content is text. */
  public Markup element(String element, String text, Object... attributes) {
    return open(element, attributes).text(text).close();
  }

  private Markup start(String element, Object... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(format(attributes[i + 1]));
      out.append('"');
    }
    return this;
  }

  private static String format(Object value) {
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.1f", number)
        : String.valueOf(value);
  }

  public Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  public Markup text(String text) {
    escape(text);
    return this;
  }

  /** Text that is the kit's own, such as its style sheet. */
  public Markup trusted(String markup) {
    out.append(markup);
    return this;
  }

  private void escape(String anything) {
    String text = Harmless.of(anything);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
