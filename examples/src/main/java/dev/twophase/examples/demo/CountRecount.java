package dev.twophase.examples.demo;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * As {@link Recount}, for the job that counts: makes from the input directory, with JDK classes
 * only and sharing no code with the job, the counts there must be, and compares. Every ten lines of
 * the input are a window; a count is window, tab, directory, tab, lines, tab, characters.
 */
public final class CountRecount {

  private static final int LINES_PER_WINDOW = 10;

  private final MessageDigest sha = Recount.sha256();
  private final Map<String, Integer> seen = new LinkedHashMap<>();
  private final Map<String, long[]> window = new TreeMap<>();
  private long position;
  private long outputCounts;
  private long foreign;
  private BigInteger digest = BigInteger.ZERO;

  private CountRecount() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      System.err.println("usage: CountRecount INPUT OUTPUT STRETCHES");
      System.exit(64);
    }
    new CountRecount()
        .compare(Path.of(arguments[0]), Path.of(arguments[1]), Integer.parseInt(arguments[2]));
  }

  private void compare(Path input, Path output, int stretches) throws IOException {
    List<Path> read = Recount.filesBelow(input);
    for (Path file : read) {
      Path relative = input.relativize(file);
      String directory =
          relative.getNameCount() == 1 ? "." : Recount.escaped(relative.getName(0).toString());
      Recount.forEachLine(file, text -> expect(directory, text));
    }
    endWindow();
    print("input", seen.size(), read.size());
    digest = BigInteger.ZERO;
    List<Path> written = Recount.filesBelow(output);
    for (Path file : written) {
      Recount.forEachLine(file, this::find);
    }
    print("output", outputCounts, written.size());
    System.out.println("foreign=" + foreign);
    System.out.println("lost=" + lost(0, position));
    System.out.println("duplicated=" + duplicated(0, position));
    for (int i = 0; i < stretches; i++) {
      long start = position * i / stretches;
      long end = position * (i + 1) / stretches;
      System.out.println("stretch=" + lost(start, end) + "," + duplicated(start, end));
    }
  }

  private void print(String side, long records, int files) {
    System.out.println(side + ".records=" + records);
    System.out.println(side + ".files=" + files);
    System.out.println(side + ".digest=" + String.format("%064x", digest));
  }

  private void expect(String directory, String text) {
    if (position > 0 && position % LINES_PER_WINDOW == 0) {
      endWindow();
    }
    long[] sums = window.computeIfAbsent(directory, key -> new long[2]);
    sums[0]++;
    sums[1] += text.length();
    position++;
  }

  private void endWindow() {
    long number = (position - 1) / LINES_PER_WINDOW;
    window.forEach(
        (directory, sums) -> {
          String count = number + "\t" + directory + "\t" + sums[0] + "\t" + sums[1];
          seen.put(count, 0);
          add(count);
        });
    window.clear();
  }

  private void find(String count) {
    outputCounts++;
    add(count);
    if (seen.computeIfPresent(count, (key, times) -> times + 1) == null) {
      foreign++;
    }
  }

  private void add(String count) {
    byte[] value = sha.digest(count.getBytes(StandardCharsets.ISO_8859_1));
    digest = digest.add(new BigInteger(1, value)).mod(BigInteger.TWO.pow(256));
  }

  private long lost(long start, long end) {
    return seen.entrySet().stream()
        .filter(entry -> entry.getValue() == 0 && isWithin(entry.getKey(), start, end))
        .count();
  }

  private long duplicated(long start, long end) {
    return seen.entrySet().stream()
        .filter(entry -> entry.getValue() > 1 && isWithin(entry.getKey(), start, end))
        .mapToLong(entry -> entry.getValue() - 1L)
        .sum();
  }

  /** By the first line of its window. */
  private static boolean isWithin(String count, long start, long end) {
    long first = Long.parseLong(count.substring(0, count.indexOf('\t'))) * LINES_PER_WINDOW;
    return first >= start && first < end;
  }
}
