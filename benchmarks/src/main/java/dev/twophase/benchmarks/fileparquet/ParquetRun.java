package dev.twophase.benchmarks.fileparquet;

import dev.twophase.benchmarks.harness.CheckpointLoop;
import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import dev.twophase.file.TransactionalFileSink;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.formats.parquet.ParquetWriterFactory;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.jspecify.annotations.Nullable;

/** One Parquet file per checkpoint of three million lines, about a second's work, over and over. */
public final class ParquetRun implements Contender {

  static final String RATE = "records/s";

  private static final long RECORDS_PER_FILE = 3_000_000;
  private static final long NANOS_PER_ROUND = 4_000_000_000L;

  private final String[] records = Records.make();
  // As a sink gets them.
  private final StreamRecord<String> record = new StreamRecord<>("");
  private @Nullable ParquetKind kind;
  private @Nullable Path directory;
  private long recordsPerFile;
  private long nanosPerRound;

  @Override
  public void open(String variant, Path working, double scale) {
    kind = ParquetKind.valueOf(variant);
    directory = working;
    recordsPerFile = RunSettings.scaled(RECORDS_PER_FILE, scale);
    nanosPerRound = RunSettings.scaled(NANOS_PER_ROUND, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (kind == null || directory == null) {
      throw new IllegalStateException("Not opened");
    }
    Path target = Files.createDirectories(directory.resolve("out"));
    double rate = kind == ParquetKind.BARE ? bare(target) : sink(target, kind);
    Scratch.delete(target);
    return new Measurement(Map.of(RATE, rate));
  }

  private double bare(Path target) throws IOException {
    long files = 0;
    long nanos;
    long start = System.nanoTime();
    do {
      Path path = target.resolve("part-" + ++files);
      try (ParquetWriter<String> writer = new Lines(new LocalOutputFile(path)).build()) {
        for (long number = 0; number < recordsPerFile; number++) {
          record.replace(Records.pick(records, number));
          writer.write(record.getValue());
        }
      }
      try (FileChannel written = FileChannel.open(path, StandardOpenOption.WRITE)) {
        written.force(false);
      }
      nanos = System.nanoTime() - start;
    } while (nanos < nanosPerRound);
    return files * recordsPerFile * 1e9 / nanos;
  }

  private double sink(Path target, ParquetKind of) throws Exception {
    ParquetWriterFactory<String> format =
        new ParquetWriterFactory<>(file -> new Lines(file).build());
    Sink<String> sink =
        of == ParquetKind.OURS
            ? TransactionalFileSink.forBulk(target, format).name("benchmark").buildSink()
            : FileSink.forBulkFormat(new org.apache.flink.core.fs.Path(target.toUri()), format)
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .build();
    CheckpointLoop loop = CheckpointLoop.run(sink, records, recordsPerFile, nanosPerRound);
    requireVisible(target, loop.checkpoints());
    return loop.rate();
  }

  private static void requireVisible(Path target, long files) throws IOException {
    try (Stream<Path> all = Files.list(target)) {
      long visible =
          all.filter(path -> Files.isRegularFile(path))
              .filter(path -> !path.getFileName().toString().startsWith("."))
              .count();
      if (visible != files) {
        throw new IllegalStateException("Expected " + files + " visible files, found " + visible);
      }
    }
  }

  @Override
  public void close() {}
}
