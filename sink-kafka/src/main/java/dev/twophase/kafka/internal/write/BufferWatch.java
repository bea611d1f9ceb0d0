package dev.twophase.kafka.internal.write;

import dev.twophase.kafka.internal.client.ClientProperties;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of a task that waits for room in its producer's buffer because the brokers take nothing:
 * the producer keeps it for up to a minute, and says nothing. Looks at the producer's own metrics
 * now and then, from a thread of its own, so that a record costs nothing.
 */
public final class BufferWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BufferWatch.class);

  /** Longer than a broker that is only busy lets nothing pass. */
  private static final Duration PAUSE = Duration.ofSeconds(3);

  private final String sinkName;
  private final ClientProperties properties;
  private final ScheduledExecutorService thread;
  private volatile @Nullable Buffer watched;

  // Touched by that thread alone.
  private @Nullable Buffer waitedFor;
  private double waitedBefore;
  private boolean told;

  public BufferWatch(String sinkName, int subtask, ClientProperties properties) {
    this(sinkName, subtask, properties, PAUSE);
  }

  /**
   * @param pause between two looks
   */
  @SuppressWarnings("FutureReturnValueIgnored") // looks until it is closed
  BufferWatch(String sinkName, int subtask, ClientProperties properties, Duration pause) {
    this.sinkName = sinkName;
    this.properties = properties;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread made = new Thread(work, sinkName + "-" + subtask + "-buffer");
              made.setDaemon(true);
              return made;
            });
    long millis = pause.toMillis();
    thread.scheduleWithFixedDelay(() -> look(pause), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Records go to that producer from now on. */
  void watch(Buffer buffer) {
    watched = buffer;
  }

  /** A wait that has not ended between two looks has lasted for the time between them. */
  void look(Duration pause) {
    Buffer buffer = watched;
    if (buffer == null || !buffer.isWaitedFor()) {
      waitedFor = null;
      told = false;
      return;
    }
    double waited = buffer.waited();
    if (!buffer.equals(waitedFor) || waited != waitedBefore) {
      waitedFor = buffer;
      waitedBefore = waited;
      told = false;
    } else if (!told) {
      told = true;
      LOG.warn(
          "Sink '{}' has waited for {} ms at least for room in its producer's buffer, because the"
              + " brokers at {} acknowledge nothing. Writing waits for {} ms at most"
              + " (max.block.ms), and then fails. Check that they are up, and that they can be"
              + " reached from here",
          sinkName,
          pause.toMillis(),
          properties.bootstrapServers(),
          properties.longestBlockMillis());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /**
   * What a producer tells of the memory in which records wait to be sent.
   *
   * @param threads that wait for some of it
   * @param nanos how long threads have waited, without those that still do
   */
  record Buffer(@Nullable Metric threads, @Nullable Metric nanos) {

    static Buffer of(Producer<?, ?> producer) {
      Map<MetricName, ? extends Metric> metrics = producer.metrics();
      return new Buffer(
          metric(metrics, "waiting-threads"), metric(metrics, "bufferpool-wait-time-ns-total"));
    }

    private static @Nullable Metric metric(Map<MetricName, ? extends Metric> metrics, String name) {
      for (Map.Entry<MetricName, ? extends Metric> each : metrics.entrySet()) {
        if (each.getKey().name().equals(name)) {
          return each.getValue();
        }
      }
      return null;
    }

    boolean isWaitedFor() {
      return value(threads) > 0;
    }

    double waited() {
      return value(nanos);
    }

    private static double value(@Nullable Metric metric) {
      return metric != null && metric.metricValue() instanceof Number number
          ? number.doubleValue()
          : 0;
    }
  }
}
