package dev.twophase.benchmarks.file;

import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The floor: the same lines through a 64 KiB buffer into one file, synced once where the sinks take
 * a checkpoint. No transaction, no Flink.
 */
public final class PlainFile implements Contender {

  private static final int BUFFER = 64 << 10;

  private final String[] records = Records.make();
  private long recordsPerFile;
  private long nanosPerRound;
  private @Nullable Path directory;

  @Override
  public void open(String variant, Path working, double scale) {
    directory = working;
    recordsPerFile = RunSettings.scaled(SinkAlone.RECORDS_PER_CHECKPOINT, scale);
    nanosPerRound = RunSettings.scaled(SinkAlone.NANOS_PER_ROUND, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (directory == null) {
      throw new IllegalStateException("Not opened");
    }
    Path target = Files.createDirectories(directory.resolve("out"));
    long files = 0;
    long nanos;
    long start = System.nanoTime();
    do {
      write(target.resolve("part-" + ++files));
      nanos = System.nanoTime() - start;
    } while (nanos < nanosPerRound);
    long written = files * recordsPerFile;
    VisibleFiles.under(target).require(written);
    Scratch.delete(target);
    return new Measurement(Map.of(SinkAlone.RATE, written * 1e9 / nanos));
  }

  private void write(Path path) throws IOException {
    try (FileOutputStream file = new FileOutputStream(path.toFile());
        OutputStream buffered = new BufferedOutputStream(file, BUFFER)) {
      for (long number = 0; number < recordsPerFile; number++) {
        buffered.write(Records.pick(records, number).getBytes(StandardCharsets.UTF_8));
        buffered.write('\n');
      }
      buffered.flush();
      file.getFD().sync();
    }
  }

  @Override
  public void close() {}
}
