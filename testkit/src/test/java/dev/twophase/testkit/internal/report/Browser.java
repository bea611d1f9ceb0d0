package dev.twophase.testkit.internal.report;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;

/** A browser without a window, if this machine has one. */
record Browser(Path executable) {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  static Optional<Browser> installed() {
    String path = System.getenv().getOrDefault("PATH", "");
    return NAMES.stream()
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(dir -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .map(Browser::new)
        .findFirst();
  }

  /** Takes a picture of a page. */
  Path picture(Path page, Path png, boolean dark, int width, int height) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add("--screenshot=" + png);
    arguments.add("--window-size=" + width + "," + height);
    if (dark) {
      arguments.add("--blink-settings=preferredColorScheme=0");
    }
    run(page, arguments);
    return png;
  }

  private void run(Path page, List<String> arguments) throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory("twophase-browser-");
    try {
      run(page, arguments, profile);
    } finally {
      FileUtils.deleteDirectoryQuietly(profile.toFile());
    }
  }

  private void run(Path page, List<String> arguments, Path profile)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(
        List.of(
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"));
    command.add("--user-data-dir=" + profile);
    command.addAll(arguments);
    command.add(page.toUri().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the browser did not end: " + command);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(Files.readString(profile.resolve("log")));
    }
  }
}
