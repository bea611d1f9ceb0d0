package dev.twophase.benchmarks.kafka;

import dev.twophase.benchmarks.harness.SinkChain;
import dev.twophase.benchmarks.harness.SinkChain.Snapshot;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.connector.sink2.Sink;
import org.jspecify.annotations.Nullable;

/**
 * Prepares many transactions, of which no completion is ever told, drops the attempt, and measures
 * how long the next one takes until all are committed: from the moment in which its operators are
 * given their state. The variant is a {@link KafkaSinkKind}, a slash, and the number of
 * transactions.
 */
public final class Recovery implements Contender {

  static final String MILLIS = "ms-to-committed";
  static final String HEAP = "MiB-heap";
  static final String THREADS = "threads";

  private static final int RECORDS_PER_TRANSACTION = 10;

  /** Between two looks: each takes time of the broker and of the client that is measured. */
  private static final long PAUSE_NANOS = 4_000_000;

  /** Times still fall from round to round after the first, on both sides. */
  static final int WARM_UPS = 5;

  /** A round that is thrown away needs no more: preparing takes long. */
  private static final long WARM_UP = 100;

  /**
   * Producers sleep for so long when they find their coordinator, 100 ms by default: time in which
   * nothing is measured.
   */
  private static final Properties PREPARING = new Properties();

  static {
    PREPARING.setProperty("retry.backoff.ms", "2");
    PREPARING.setProperty("retry.backoff.max.ms", "1000");
  }

  private final String bootstrapServers = KafkaSide.bootstrapServers();
  private @Nullable KafkaSinkKind kind;
  private long transactions;
  private int round;

  @Override
  public void open(String variant, Path working, double scale) {
    String[] parts = variant.split("/", -1);
    kind = KafkaSinkKind.valueOf(parts[0]);
    transactions = RunSettings.scaled(Long.parseLong(parts[1]), scale);
  }

  @Override
  public Measurement round() throws Exception {
    KafkaSinkKind contender = kind;
    if (contender == null) {
      throw new IllegalStateException("Not opened");
    }
    long count = round++ < WARM_UPS ? Math.min(transactions, WARM_UP) : transactions;
    try (FreshTopic topic = new FreshTopic(bootstrapServers, 1)) {
      Sink<String> quick = contender.sink(bootstrapServers, topic.name(), PREPARING);
      Sink<String> usual = contender.sink(bootstrapServers, topic.name());
      long heapBefore = usedHeap();
      int threadsBefore = threads();
      Snapshot last;
      double heap;
      double threads;
      try (SinkChain first = SinkChain.open(stream -> stream.sinkTo(quick).uid("sink"))) {
        last = prepareAll(first, count);
        heap = (usedHeap() - heapBefore) / (double) (1 << 20);
        threads = threads() - threadsBefore;
      }
      if (topic.isSettled()) {
        throw new IllegalStateException("Nothing is left to commit");
      }
      try (SinkChain second = SinkChain.translated(stream -> stream.sinkTo(usual).uid("sink"))) {
        long start = System.nanoTime();
        FutureTask<Double> committed =
            new FutureTask<>(() -> millisToCommitted(topic, count, start));
        Thread watch = new Thread(committed, "watch");
        watch.setDaemon(true);
        watch.start();
        second.start(Optional.of(last));
        double millis = committed.get();
        topic.require(count * RECORDS_PER_TRANSACTION);
        return new Measurement(Map.of(MILLIS, millis, HEAP, heap, THREADS, threads));
      }
    }
  }

  /** Looked for beside the restore: a writer may still be starting when all is committed. */
  private static double millisToCommitted(FreshTopic topic, long count, long start)
      throws Exception {
    // Each transaction ends with a marker in the log.
    while (topic.committedEnd() < count * (RECORDS_PER_TRANSACTION + 1)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  private static Snapshot prepareAll(SinkChain chain, long count) throws Exception {
    Snapshot last = null;
    for (long checkpoint = 1; checkpoint <= count; checkpoint++) {
      for (int record = 0; record < RECORDS_PER_TRANSACTION; record++) {
        chain.write("record " + record + " of " + checkpoint);
      }
      last = chain.prepare(checkpoint);
    }
    if (last == null) {
      throw new IllegalStateException("No transactions");
    }
    return last;
  }

  private static long usedHeap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  private static int threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.getThreadCount();
  }

  @Override
  public void close() {}
}
