package dev.twophase.testkit.kafka.internal;

import dev.twophase.testkit.kafka.KafkaBrokerException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One broker: its directory, its ports, and the process that serves them now and then. */
public final class BrokerNode {

  private static final int LINES_IN_ERRORS = 30;
  private static final long POLL_MILLIS = 20;
  private static final String PORT_TAKEN = "Address already in use";

  private final NodePorts ports;
  private final ClusterPlan plan;
  private final String clusterId;
  private final Path directory;
  private volatile @Nullable Process process;
  private volatile @Nullable Process watchdog;

  BrokerNode(NodePorts ports, ClusterPlan plan, String clusterId, Path directory) {
    this.ports = ports;
    this.plan = plan;
    this.clusterId = clusterId;
    this.directory = directory;
  }

  void writeConfig(Properties properties) throws IOException {
    Files.createDirectories(directory);
    try (Writer out = Files.newBufferedWriter(configFile(), StandardCharsets.UTF_8)) {
      properties.store(out, null);
    }
  }

  Path data() {
    return directory.resolve("data");
  }

  public int id() {
    return ports.node();
  }

  public int plainPort() {
    return ports.plain();
  }

  public int port(String listener) {
    return ports.listener(listener);
  }

  public BrokerLog log() {
    return new BrokerLog(directory.resolve("broker.log"));
  }

  public boolean isRunning() {
    Process current = process;
    return current != null && current.isAlive();
  }

  public boolean isFrozen() {
    return watchdog != null && isRunning();
  }

  public long pid() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException("Broker " + id() + " was never started");
    }
    return current.pid();
  }

  /** Does nothing if a process is there. */
  public void launch() {
    if (isRunning()) {
      return;
    }
    try {
      Files.deleteIfExists(servingFile());
      process =
          new ProcessBuilder(command())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().file().toFile()))
              .start();
    } catch (IOException failure) {
      throw new KafkaBrokerException("Broker " + id() + " could not be forked", failure);
    }
  }

  public void awaitServing() {
    long deadline = System.nanoTime() + plan.startTimeout().toNanos();
    while (!Files.exists(servingFile())) {
      if (!isRunning()) {
        throw failure("ended before it served");
      }
      if (System.nanoTime() > deadline) {
        throw failure("did not serve within " + plan.startTimeout() + " (startTimeout)");
      }
      pause();
    }
  }

  public void kill() {
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
      awaitEnd(current);
    }
    endWatchdog();
  }

  public void stop() {
    Process current = process;
    if (current == null || !current.isAlive()) {
      return;
    }
    thaw();
    try (OutputStream orders = current.getOutputStream()) {
      orders.write((BrokerMain.STOP + "\n").getBytes(StandardCharsets.UTF_8));
      orders.flush();
      awaitEnd(current);
    } catch (IOException alreadyGone) {
      kill();
    }
  }

  public void freeze() {
    if (isFrozen()) {
      return;
    }
    if (!isRunning()) {
      throw failure("cannot be frozen: its process has ended");
    }
    try {
      watchdog = Signals.killWhenParentDies(pid());
      Signals.stop(pid());
    } catch (IOException failure) {
      endWatchdog();
      throw new KafkaBrokerException("Broker " + id() + " could not be frozen", failure);
    }
  }

  public void thaw() {
    if (!isFrozen()) {
      return;
    }
    try {
      Signals.resume(pid());
    } catch (IOException failure) {
      throw new KafkaBrokerException("Broker " + id() + " could not be thawed", failure);
    }
    endWatchdog();
  }

  boolean portWasTaken() {
    return !isRunning() && log().tailContains(PORT_TAKEN);
  }

  private void endWatchdog() {
    Process current = watchdog;
    if (current != null) {
      current.destroyForcibly();
      watchdog = null;
    }
  }

  /** Kills what does not end within the time a start may take. */
  private void awaitEnd(Process current) {
    try {
      if (!current.waitFor(plan.startTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        current.destroyForcibly();
        current.waitFor();
      }
    } catch (InterruptedException interrupted) {
      current.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failure("was interrupted while starting");
    }
  }

  private KafkaBrokerException failure(String what) {
    return new KafkaBrokerException("Broker " + id() + " " + what, log().last(LINES_IN_ERRORS));
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(plan.jvmArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), BrokerMain.class.getName()));
    command.addAll(List.of(configFile().toString(), servingFile().toString(), clusterId));
    command.add(Integer.toString(ports.door()));
    command.add(Integer.toString(ports.broker()));
    plan.transactionVersion().ifPresent(version -> command.add("transaction.version=" + version));
    return command;
  }

  private Path configFile() {
    return directory.resolve("server.properties");
  }

  private Path servingFile() {
    return directory.resolve("serving");
  }
}
