package dev.twophase.examples.demo;

import dev.twophase.examples.place.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a {@link Recount} found.
 *
 * @param stretches lost and duplicated by stretch of the input
 * @param files up to ten files of which something is lost or duplicated
 */
record RecountResult(
    Side input,
    Side output,
    long lost,
    long duplicated,
    long foreign,
    List<Difference> stretches,
    List<Difference> files) {

  /** One side of the comparison. */
  record Side(long records, long files, String digest) {

    boolean holdsSameRecords(Side other) {
      return records == other.records && digest.equals(other.digest);
    }
  }

  /** Of a part of the input. */
  record Difference(long lost, long duplicated, String name) {

    static Difference parse(String text) {
      String[] fields = text.split(",", 3);
      return new Difference(
          Long.parseLong(fields[0]),
          Long.parseLong(fields[1]),
          fields.length == 3 ? fields[2] : "");
    }
  }

  /** Whether the output is the input, each line once. */
  boolean exact() {
    return lost == 0 && duplicated == 0 && foreign == 0 && input.holdsSameRecords(output);
  }

  /** Runs a recount of lines in a JVM of its own. */
  static RecountResult of(Path input, Path output, int stretches, Path errors)
      throws IOException, InterruptedException {
    return of(Recount.class, input, output, stretches, errors);
  }

  /** As {@link #of(Path, Path, int, Path)}, of counts of lines. */
  static RecountResult ofCounts(Path input, Path output, int stretches, Path errors)
      throws IOException, InterruptedException {
    return of(CountRecount.class, input, output, stretches, errors);
  }

  private static RecountResult of(
      Class<?> main, Path input, Path output, int stretches, Path errors)
      throws IOException, InterruptedException {
    Process process =
        Jvm.start(
            main,
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(input.toString(), output.toString(), Integer.toString(stretches)),
            errors);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    }
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "The recount ended with exit code " + exitCode + ": " + Files.readString(errors));
    }
    return parse(lines);
  }

  private static RecountResult parse(List<String> lines) throws IOException {
    Map<String, String> values = new HashMap<>();
    List<Difference> stretches = new ArrayList<>();
    List<Difference> files = new ArrayList<>();
    for (String line : lines) {
      String[] pair = line.split("=", 2);
      switch (pair[0]) {
        case "stretch" -> stretches.add(Difference.parse(pair[1]));
        case "file" -> files.add(Difference.parse(pair[1]));
        default -> values.put(pair[0], pair[1]);
      }
    }
    return new RecountResult(
        side(values, "input"),
        side(values, "output"),
        number(values, "lost"),
        number(values, "duplicated"),
        number(values, "foreign"),
        stretches,
        files);
  }

  private static Side side(Map<String, String> values, String name) throws IOException {
    return new Side(
        number(values, name + ".records"),
        number(values, name + ".files"),
        text(values, name + ".digest"));
  }

  private static long number(Map<String, String> values, String name) throws IOException {
    return Long.parseLong(text(values, name));
  }

  private static String text(Map<String, String> values, String name) throws IOException {
    return Optional.ofNullable(values.get(name))
        .orElseThrow(() -> new IOException("The recount did not tell '" + name + "'"));
  }
}
