package dev.twophase.examples.demo;

import dev.twophase.examples.faults.FaultPlan;
import dev.twophase.examples.faults.FaultReport;
import dev.twophase.examples.place.Jvm;
import dev.twophase.examples.run.RunEnd;
import dev.twophase.examples.run.RunMain;
import dev.twophase.examples.run.RunMessage;
import dev.twophase.examples.run.RunSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run in a process of its own, and what it has told so far. Thread-safe. */
final class RunProcess {

  /** Flink reaches into these; its own start scripts open them too. */
  private static final List<String> OPENED =
      List.of("java.lang", "java.util", "java.util.concurrent", "java.time", "java.net");

  private final RunSpec spec;
  private final Process process;
  private final Thread listener;
  private final List<FaultReport> reports = new ArrayList<>();
  private FaultPlan.@Nullable Progress progress;
  private @Nullable String failure;

  private RunProcess(RunSpec spec, Process process, Consumer<FaultReport> onRecovery) {
    this.spec = spec;
    this.process = process;
    this.listener = new Thread(() -> listen(onRecovery), "listen");
    listener.setDaemon(true);
  }

  /** Starts it. */
  static RunProcess start(RunSpec spec, Consumer<FaultReport> onRecovery) throws IOException {
    Files.createDirectories(spec.work());
    List<String> options = new ArrayList<>();
    options.add("-Xmx512m");
    options.add("-XX:+UseSerialGC");
    options.add("-XX:TieredStopAtLevel=1");
    for (String opened : OPENED) {
      options.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    options.addAll(
        Jvm.properties(
            Map.of(
                "org.slf4j.simpleLogger.logFile",
                spec.log().toString(),
                "org.slf4j.simpleLogger.defaultLogLevel",
                "warn",
                "org.slf4j.simpleLogger.showDateTime",
                "true",
                "java.io.tmpdir",
                spec.work().toString())));
    Process process = Jvm.start(RunMain.class, options, spec.toArguments(), spec.errors());
    RunProcess run = new RunProcess(spec, process, onRecovery);
    run.listener.start();
    return run;
  }

  private void listen(Consumer<FaultReport> onRecovery) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        RunMessage.parse(line).ifPresent(message -> take(message, onRecovery));
      }
    } catch (IOException ended) {
      take(new RunMessage.Failed("its output cannot be read: " + ended), onRecovery);
    }
  }

  private void take(RunMessage message, Consumer<FaultReport> onRecovery) {
    synchronized (this) {
      if (message instanceof RunMessage.Moment moment) {
        progress = moment.progress();
      } else if (message instanceof RunMessage.Recovered recovered) {
        reports.add(recovered.report());
      } else if (message instanceof RunMessage.Failed failed) {
        failure = failed.reason();
      }
    }
    if (message instanceof RunMessage.Recovered recovered) {
      onRecovery.accept(recovered.report());
    }
  }

  RunSpec spec() {
    return spec;
  }

  /** What it promises. */
  String name() {
    return spec.name();
  }

  /** Waits for its end, but not longer; whether it has ended. */
  boolean ended(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Waits for its end. */
  RunEnd end() throws InterruptedException {
    int exitCode = process.waitFor();
    listener.join();
    RunEnd end = RunEnd.of(exitCode);
    synchronized (this) {
      if (end == RunEnd.FAILED && failure == null) {
        failure = "its process ended with exit code " + exitCode;
      }
    }
    return end;
  }

  void kill() {
    process.destroyForcibly();
  }

  synchronized Optional<FaultPlan.Progress> progress() {
    return Optional.ofNullable(progress);
  }

  synchronized Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  synchronized List<FaultReport> reports() {
    return List.copyOf(reports);
  }
}
