package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.file.FileSinkKind;
import dev.twophase.benchmarks.file.VisibleFiles;
import dev.twophase.benchmarks.harness.SinkChain;
import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints of many small files, each in a bucket of its own.
 *
 * <p>What a round has written stays until all is over: ext4 looks for a free inode past all those
 * deleted in the last minutes, so cleaning up after each round would make every file that follows
 * take a millisecond to create.
 */
public final class ManyBuckets implements Contender {

  static final String MILLIS = "ms-to-visible";
  static final String MILLIS_PREPARE = "ms-to-prepared";
  static final String MILLIS_NEW_BUCKETS = "ms-with-new-buckets";
  static final String PEAK_HEAP = "peak-heap-MiB";

  static final long BUCKETS = 1000;
  private static final int RECORDS_PER_BUCKET = 10;
  private static final long MILLIS_BETWEEN_RECORDS = 50;
  static final int CHECKPOINTS = 4;

  /** FileSink takes many seconds for one. */
  private static final int CHECKPOINTS_ON_HDFS = 2;

  /**
   * In the first round, which does not count. After two checkpoints half of the time of either
   * client still goes to its compiler, of which the one that overlaps its waits has less to spare.
   */
  private static final int WARM_UP_CHECKPOINTS_ON_HDFS = 10;

  private @Nullable FileSinkKind kind;
  private @Nullable Destination destination;
  private String[] records = {};
  private long pauseMillis;
  private int checkpoints;
  private int warmUpCheckpoints;
  private int round;

  /** The variant of a contender that writes to an HDFS. */
  static String onHdfs(FileSinkKind kind, int buckets, String directory) {
    return kind.name() + " " + buckets + " " + directory;
  }

  @Override
  public void open(String variant, Path working, double scale) throws IOException {
    String[] parts = variant.split(" ", 3);
    boolean local = parts.length == 1;
    kind = FileSinkKind.valueOf(parts[0]);
    checkpoints = local ? CHECKPOINTS : CHECKPOINTS_ON_HDFS;
    warmUpCheckpoints =
        local
            ? CHECKPOINTS
            : (int) RunSettings.scaled(WARM_UP_CHECKPOINTS_ON_HDFS, Math.max(scale, 0.2));
    destination = local ? Destination.local(working) : new HdfsDestination(URI.create(parts[2]));
    int buckets = (int) RunSettings.scaled(local ? BUCKETS : Integer.parseInt(parts[1]), scale);
    pauseMillis = RunSettings.scaled(MILLIS_BETWEEN_RECORDS, scale);
    String[] strings = Records.make();
    records = new String[buckets];
    for (int bucket = 0; bucket < buckets; bucket++) {
      records[bucket] =
          String.format(Locale.ROOT, "%04d", bucket)
              + Records.pick(strings, bucket).substring(BucketOfRecord.LENGTH);
    }
  }

  @Override
  public Measurement round() throws Exception {
    if (kind == null || destination == null) {
      throw new IllegalStateException("Not opened");
    }
    URI target = destination.directory(++round);
    int count = round == 1 ? warmUpCheckpoints : checkpoints;
    var sink = kind.sink(target, new BucketOfRecord());
    long firstNanos = 0;
    long preparing = 0;
    long nanos = 0;
    PeakHeap peak = PeakHeap.fromHere();
    try (SinkChain chain = SinkChain.open(stream -> stream.sinkTo(sink).uid("sink"))) {
      for (int checkpoint = 1; checkpoint <= count; checkpoint++) {
        writeAll(chain);
        long barrier = System.nanoTime();
        chain.prepare(checkpoint);
        preparing += System.nanoTime() - barrier;
        chain.complete(checkpoint);
        long took = System.nanoTime() - barrier;
        requireVisible(destination.visible(target), checkpoint);
        firstNanos += checkpoint == 1 ? took : 0;
        nanos += took;
      }
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(MILLIS, nanos / 1e6 / count);
    figures.put(MILLIS_PREPARE, preparing / 1e6 / count);
    figures.put(MILLIS_NEW_BUCKETS, firstNanos / 1e6);
    figures.put(PEAK_HEAP, peak.mebibytes());
    return new Measurement(figures);
  }

  /** A record for each bucket, a pause, and again: between two checkpoints there is time. */
  private void writeAll(SinkChain chain) throws Exception {
    for (int time = 0; time < RECORDS_PER_BUCKET; time++) {
      for (String record : records) {
        chain.write(record);
      }
      Thread.sleep(pauseMillis);
    }
  }

  private void requireVisible(VisibleFiles visible, int completed) {
    visible.require((long) completed * records.length * RECORDS_PER_BUCKET);
    long files = (long) completed * records.length;
    if (visible.files() != files) {
      throw new IllegalStateException("Expected " + files + " visible files, found " + visible);
    }
  }

  @Override
  public void close() {}
}
