package dev.twophase.benchmarks.filebuckets;

import dev.twophase.benchmarks.file.VisibleFiles;
import dev.twophase.benchmarks.filecommit.BucketOfRecord;
import dev.twophase.benchmarks.harness.SinkChain;
import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The same checkpoint in more and more buckets: as many records, in as many files, that are filled
 * one after the other whatever bucket they are in.
 */
public final class BucketCounts implements Contender {

  static final List<Integer> COUNTS = List.of(1, 10, 100, 1000);

  static final int RECORDS_PER_FILE = 10;

  private static final int FILES = 1000;
  private static final int MEASURED_CHECKPOINTS = 2;

  /** So that what is done beside the writing is done by the barrier. */
  private static final long NANOS_OF_WRITING = 250_000_000L;

  private @Nullable RolledFiles kind;
  private @Nullable Path directory;
  private int files;
  private int runs;

  static String figure(int buckets) {
    return "ms-" + buckets;
  }

  @Override
  public void open(String variant, Path working, double scale) {
    kind = RolledFiles.valueOf(variant);
    directory = working;
    files = (int) RunSettings.scaled(FILES, scale);
  }

  @Override
  public Measurement round() throws Exception {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (int buckets : COUNTS) {
      figures.put(figure(buckets), millis(Math.min(buckets, files)));
    }
    return new Measurement(figures);
  }

  private double millis(int buckets) throws Exception {
    if (kind == null || directory == null) {
      throw new IllegalStateException("Not opened");
    }
    Path target = Files.createDirectories(directory.resolve("run-" + ++runs));
    var sink = kind.sink(target.toUri(), new BucketOfRecord());
    String[] records = records(buckets);
    long nanos = 0;
    try (SinkChain chain = SinkChain.open(stream -> stream.sinkTo(sink).uid("sink"))) {
      // The first one makes the buckets.
      for (int checkpoint = 1; checkpoint <= MEASURED_CHECKPOINTS + 1; checkpoint++) {
        write(chain, records);
        long barrier = System.nanoTime();
        chain.prepare(checkpoint);
        chain.complete(checkpoint);
        nanos += checkpoint == 1 ? 0 : System.nanoTime() - barrier;
        requireVisible(VisibleFiles.under(target), checkpoint);
      }
    }
    return nanos / 1e6 / MEASURED_CHECKPOINTS;
  }

  private String[] records(int buckets) {
    String[] strings = Records.make();
    String[] records = new String[files];
    for (int file = 0; file < files; file++) {
      records[file] =
          String.format(Locale.ROOT, "%04d", file % buckets)
              + Records.pick(strings, file).substring(BucketOfRecord.LENGTH);
    }
    return records;
  }

  /** Evenly over the interval. */
  private static void write(SinkChain chain, String[] records) throws Exception {
    long start = System.nanoTime();
    for (int file = 0; file < records.length; file++) {
      for (int time = 0; time < RECORDS_PER_FILE; time++) {
        chain.write(records[file]);
      }
      long ahead = start + NANOS_OF_WRITING * file / records.length - System.nanoTime();
      if (ahead > 0) {
        TimeUnit.NANOSECONDS.sleep(ahead);
      }
    }
  }

  private void requireVisible(VisibleFiles visible, long completed) {
    visible.require(completed * files * RECORDS_PER_FILE);
    if (visible.files() != completed * files) {
      throw new IllegalStateException(
          "Expected " + completed * files + " visible files, found " + visible);
    }
  }

  @Override
  public void close() {}
}
