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
 * Tells of a task that waits because the brokers take nothing, for room in its producer's buffer or
 * behind a barrier until that is empty: the producer keeps it for a minute or two, and says
 * nothing. Looks at the producer's own metrics now and then, from a thread of its own, so that a
 * record costs nothing.
 */
public final class BufferWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BufferWatch.class);

  /** Longer than a broker that is only busy lets nothing pass. */
  private static final Duration PAUSE = Duration.ofSeconds(3);

  private final String sinkName;
  private final ClientProperties properties;
  private final ScheduledExecutorService thread;
  private volatile @Nullable Buffer watched;

  /** The number of the flush under way; 0 while there is none. */
  private volatile long flush;

  // Touched by the task's thread alone.
  private long flushes;

  // Touched by that of the watch alone.
  private @Nullable Wait before;
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
            new DaemonThread(sinkName + "-" + subtask + "-buffer"));
    long millis = pause.toMillis();
    thread.scheduleWithFixedDelay(() -> look(pause), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Records go to that producer from now on. */
  void watch(Buffer buffer) {
    watched = buffer;
  }

  /** Waits until the producer whose buffer is watched has written all that it holds. */
  void flush(Producer<?, ?> producer) {
    flush = ++flushes;
    try {
      producer.flush();
    } finally {
      flush = 0;
    }
  }

  /**
   * What a task waits for, as it was at a look.
   *
   * @param flush its number; 0 for room in the buffer
   * @param moved changes whenever the brokers have taken something
   */
  private record Wait(Buffer buffer, long flush, double moved) {}

  private @Nullable Wait current() {
    Buffer buffer = watched;
    if (buffer == null) {
      return null;
    }
    long flushing = flush;
    if (flushing > 0) {
      return new Wait(buffer, flushing, buffer.available());
    }
    return buffer.isWaitedFor() ? new Wait(buffer, 0, buffer.waited()) : null;
  }

  /** A wait in which nothing has moved between two looks has lasted for the time between them. */
  void look(Duration pause) {
    Wait now = current();
    if (now == null || !now.equals(before)) {
      before = now;
      told = false;
    } else if (!told) {
      told = true;
      tell(now, pause);
    }
  }

  private void tell(Wait wait, Duration pause) {
    if (wait.flush() > 0) {
      LOG.warn(
          "Sink '{}' has waited for {} ms at least behind a barrier for its records to be written,"
              + " because the brokers at {} acknowledge nothing. It waits for {} ms at most"
              + " (delivery.timeout.ms); then the job fails, and is restarted from its last"
              + " checkpoint. Check that they are up, and that they can be reached from here",
          sinkName,
          pause.toMillis(),
          properties.bootstrapServers(),
          properties.longestDeliveryMillis());
    } else {
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
   * @param free how many bytes hold no records: while none are added, more with each batch that is
   *     acknowledged
   */
  record Buffer(@Nullable Metric threads, @Nullable Metric nanos, @Nullable Metric free) {

    static Buffer of(Producer<?, ?> producer) {
      Map<MetricName, ? extends Metric> metrics = producer.metrics();
      return new Buffer(
          metric(metrics, "waiting-threads"),
          metric(metrics, "bufferpool-wait-time-ns-total"),
          metric(metrics, "buffer-available-bytes"));
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

    double available() {
      return value(free);
    }

    private static double value(@Nullable Metric metric) {
      return metric != null && metric.metricValue() instanceof Number number
          ? number.doubleValue()
          : 0;
    }
  }
}
