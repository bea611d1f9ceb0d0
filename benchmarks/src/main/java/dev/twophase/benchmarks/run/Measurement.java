package dev.twophase.benchmarks.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of one round of one contender, with a one-line text form. */
public record Measurement(Map<String, Double> figures) {

  public Measurement {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /**
   * The figure of this name.
   *
   * @throws IllegalArgumentException if it was not measured
   */
  public double get(String name) {
    Double figure = figures.get(name);
    if (figure == null) {
      throw new IllegalArgumentException("No figure '" + name + "' in " + figures);
    }
    return figure;
  }

  String text() {
    return figures.entrySet().stream()
        .map(figure -> figure.getKey() + "=" + figure.getValue())
        .collect(Collectors.joining(" "));
  }

  /** For people. */
  String rounded() {
    return figures.entrySet().stream()
        .map(figure -> String.format(Locale.ROOT, "%s %,.1f", figure.getKey(), figure.getValue()))
        .collect(Collectors.joining(", "));
  }

  static Measurement parse(String text) {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String figure : text.strip().split(" ", -1)) {
      int equals = figure.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("Not a measurement: '" + text + "'");
      }
      figures.put(figure.substring(0, equals), Double.valueOf(figure.substring(equals + 1)));
    }
    return new Measurement(figures);
  }
}
