package dev.twophase.examples.demo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Counts again, in a JVM of its own, with JDK classes only and sharing no code with the job: which
 * lines of the input directory are missing from the output directory, which are there more than
 * once, and which were never in the input. A reader of the output sees every file whose path below
 * the directory has no component that begins with a dot.
 *
 * <p>Arguments: input, output, number of stretches to count separately. Prints one {@code
 * name=value} per line. A digest is the sum of the SHA-256 values of all lines, as a number modulo
 * 2^256: it does not depend on their order, and equal digests mean equal lines, each as often.
 */
public final class Recount {

  private static final int SHOWN_FILES = 10;

  private final MessageDigest sha = sha256();
  private final Map<String, Integer> starts = new HashMap<>();
  private final List<InputFile> files = new ArrayList<>();
  private long[] hashes = new long[1 << 12];
  private int[] seen = new int[0];
  private int lines;
  private long outputLines;
  private long foreign;
  private BigInteger digest = BigInteger.ZERO;

  /** A file's name and the positions of its lines. */
  private record InputFile(String name, int start, int end) {}

  private Recount() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      System.err.println("usage: Recount INPUT OUTPUT STRETCHES");
      System.exit(64);
    }
    new Recount()
        .compare(Path.of(arguments[0]), Path.of(arguments[1]), Integer.parseInt(arguments[2]));
  }

  private void compare(Path input, Path output, int stretches) throws IOException {
    for (Path file : filesBelow(input)) {
      String name = escaped(input.relativize(file).toString());
      int start = lines;
      forEachLine(file, text -> expect(name + "\t" + (lines - start + 1) + "\t" + text));
      starts.put(name, start);
      files.add(new InputFile(name, start, lines));
    }
    System.out.println("input.records=" + lines);
    System.out.println("input.files=" + files.size());
    System.out.println("input.digest=" + digestText());
    seen = new int[lines];
    digest = BigInteger.ZERO;
    int outputFiles = 0;
    for (Path file : filesBelow(output)) {
      if (visible(output.relativize(file))) {
        outputFiles++;
        forEachLine(file, this::find);
      }
    }
    System.out.println("output.records=" + outputLines);
    System.out.println("output.files=" + outputFiles);
    System.out.println("output.digest=" + digestText());
    System.out.println("foreign=" + foreign);
    System.out.println("lost=" + lost(0, lines));
    System.out.println("duplicated=" + duplicated(0, lines));
    for (int i = 0; i < stretches; i++) {
      int start = (int) ((long) lines * i / stretches);
      int end = (int) ((long) lines * (i + 1) / stretches);
      System.out.println("stretch=" + lost(start, end) + "," + duplicated(start, end));
    }
    printFiles();
  }

  private void printFiles() {
    files.stream()
        .filter(file -> lost(file.start(), file.end()) + duplicated(file.start(), file.end()) > 0)
        .limit(SHOWN_FILES)
        .forEach(
            file ->
                System.out.println(
                    "file="
                        + lost(file.start(), file.end())
                        + ","
                        + duplicated(file.start(), file.end())
                        + ","
                        + file.name()));
  }

  private void expect(String record) {
    if (lines == hashes.length) {
      hashes = Arrays.copyOf(hashes, lines * 2);
    }
    hashes[lines++] = hash(record);
  }

  private void find(String record) {
    outputLines++;
    long hash = hash(record);
    String[] fields = record.split("\t", 3);
    Integer start = starts.get(fields[0]);
    if (fields.length < 3 || start == null || !fields[1].matches("[1-9]\\d{0,8}")) {
      foreign++;
      return;
    }
    long index = start + Long.parseLong(fields[1]) - 1;
    if (index >= lines || hashes[(int) index] != hash) {
      foreign++;
    } else {
      seen[(int) index]++;
    }
  }

  private long lost(int start, int end) {
    return Arrays.stream(seen, start, end).filter(times -> times == 0).count();
  }

  private long duplicated(int start, int end) {
    return Arrays.stream(seen, start, end).filter(times -> times > 1).mapToLong(t -> t - 1L).sum();
  }

  private long hash(String record) {
    byte[] value = sha.digest(record.getBytes(StandardCharsets.ISO_8859_1));
    digest = digest.add(new BigInteger(1, value)).mod(BigInteger.TWO.pow(256));
    return ByteBuffer.wrap(value).getLong();
  }

  private String digestText() {
    return String.format("%064x", digest);
  }

  static boolean visible(Path relative) {
    for (Path component : relative) {
      if (component.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static String escaped(String path) {
    StringBuilder name = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      String c = String.valueOf((char) (b & 0xff));
      name.append(c.matches("[-._/A-Za-z0-9]") ? c : String.format("%%%02X", b & 0xff));
    }
    return name.toString();
  }

  static void forEachLine(Path file, Consumer<String> action) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int last = '\n';
      for (int c = in.read(); c >= 0; c = in.read()) {
        if (c == '\n') {
          action.accept(line.toString(StandardCharsets.ISO_8859_1));
          line.reset();
        } else {
          line.write(c);
        }
        last = c;
      }
      if (last != '\n') {
        action.accept(line.toString(StandardCharsets.ISO_8859_1));
      }
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every JDK has SHA-256", impossible);
    }
  }
}
