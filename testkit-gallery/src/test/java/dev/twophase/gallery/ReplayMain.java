package dev.twophase.gallery;

import dev.twophase.testkit.SinkKit;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Replays schedules of mutants, a line each, in a process that has run nothing else. */
final class ReplayMain {

  private ReplayMain() {}

  /** Reads {@code number<TAB>schedule} lines from a file; prints number and what came of each. */
  public static void main(String[] arguments) throws IOException {
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      int tab = line.indexOf('\t');
      int number = Integer.parseInt(line.substring(0, tab));
      String title =
          SinkKit.of(Mutants.numbered(number).sink()).replay(line.substring(tab + 1)).title();
      System.out.println(number + "\t" + title);
    }
    System.exit(0);
  }

  /** What came of each schedule, by number of the mutant, in a fresh process. */
  static Map<Integer, String> inFreshProcess(List<Refutation> kills) {
    try {
      Path lines = Files.createTempFile("twophase-gallery", ".txt");
      try {
        Files.write(
            lines,
            kills.stream()
                .map(kill -> kill.mutant().number() + "\t" + kill.judgement().schedule())
                .toList());
        return read(start(lines));
      } finally {
        Files.delete(lines);
      }
    } catch (IOException e) {
      throw new IllegalStateException("no fresh process could replay what was found", e);
    }
  }

  private static Process start(Path lines) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-XX:TieredStopAtLevel=1");
    command.add(ReplayMain.class.getName());
    command.add(lines.toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static Map<Integer, String> read(Process process) throws IOException {
    Map<Integer, String> titles = new HashMap<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        int tab = line.indexOf('\t');
        if (tab > 0) {
          titles.put(Integer.valueOf(line.substring(0, tab)), line.substring(tab + 1));
        }
      }
    } finally {
      process.destroyForcibly();
    }
    return titles;
  }
}
