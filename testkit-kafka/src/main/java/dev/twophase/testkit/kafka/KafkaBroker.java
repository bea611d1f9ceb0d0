package dev.twophase.testkit.kafka;

import dev.twophase.testkit.kafka.internal.BrokerNode;
import java.util.List;

/**
 * One broker of a {@link KafkaCluster}, in a JVM of its own. It ends with the JVM that started it,
 * however that one ends. Thread-safe; each call waits until its effect is there.
 */
public final class KafkaBroker {

  private final BrokerNode node;

  KafkaBroker(BrokerNode node) {
    this.node = node;
  }

  /** The node id: 1 for the first broker. */
  public int id() {
    return node.id();
  }

  /** Where the broker itself listens for unencrypted connections, whatever port it advertises. */
  public int port() {
    return node.plainPort();
  }

  /** The process id of the running, or else of the last, process. */
  public long pid() {
    return node.pid();
  }

  /** Whether the process exists; a frozen one does. */
  public boolean isRunning() {
    return node.isRunning();
  }

  /** Whether {@link #freeze()} was called last. */
  public boolean isFrozen() {
    return node.isFrozen();
  }

  /** SIGKILL: no flush, no goodbye to the controller. Does nothing if the process has ended. */
  public synchronized void kill() {
    node.kill();
  }

  /**
   * SIGSTOP: connections stay open and nothing answers. Does nothing if frozen already.
   *
   * @throws KafkaBrokerException if the process has ended
   */
  public synchronized void freeze() {
    node.freeze();
  }

  /** SIGCONT. Does nothing unless frozen. */
  public synchronized void thaw() {
    node.thaw();
  }

  /** A controlled shutdown; killed if it takes longer than the start may. Thaws first. */
  public synchronized void stop() {
    node.stop();
  }

  /**
   * Starts a broker that was killed or stopped, on the same ports and the same data, and waits
   * until it serves. Does nothing if it runs.
   *
   * @throws KafkaBrokerException if it ends or does not serve in time; carries the last log lines
   */
  public synchronized void start() {
    node.launch();
    node.awaitServing();
  }

  /** As {@link #start()}, without waiting: for several brokers that need each other. */
  synchronized void launch() {
    node.launch();
  }

  /** {@link #kill()}, then {@link #start()}. */
  public synchronized void killAndRestart() {
    kill();
    start();
  }

  /** The newest lines the broker has logged, oldest first; of former processes too. */
  public List<String> lastLogLines(int most) {
    return node.log().last(most);
  }

  @Override
  public String toString() {
    return "broker " + id() + " (127.0.0.1:" + port() + ")";
  }
}
