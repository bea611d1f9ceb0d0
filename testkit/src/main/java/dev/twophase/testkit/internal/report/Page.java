package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.internal.report.drawing.Markup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The frame of every page: self-contained, no script, nothing loaded from anywhere. */
final class Page {

  private static final String STYLE = read("/dev/twophase/testkit/report/report.css");

  private Page() {}

  static Markup begin(String title) {
    Markup out = new Markup();
    out.trusted("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
    out.empty("meta", "charset", "utf-8");
    out.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    out.empty(
        "meta",
        "http-equiv",
        "Content-Security-Policy",
        "content",
        "default-src 'none'; style-src 'unsafe-inline'");
    out.element("title", title);
    out.open("style").trusted(STYLE).close().close();
    return out.open("body").open("main");
  }

  static String end(Markup out) {
    return out.close().close().close().toString();
  }

  private static String read(String resource) {
    try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
