package dev.twophase.benchmarks.filecommit;

import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.file.TransactionalFileSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The floor of a durable commit: as many small files, written and synced, linked into as many
 * directories, and the directories synced, by as many threads as the sink has. No transaction, no
 * Flink, no look at what is there.
 */
public final class BareCommit implements Contender {

  private static final int BYTES = 10 * 100;

  private final ExecutorService pool =
      Executors.newFixedThreadPool(TransactionalFileSink.DEFAULT_IO_THREADS);
  private int buckets;
  private @Nullable Path directory;
  private int round;

  @Override
  public void open(String variant, Path working, double scale) {
    directory = working;
    buckets = (int) RunSettings.scaled(ManyBuckets.BUCKETS, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (directory == null) {
      throw new IllegalStateException("Not opened");
    }
    Path base = directory.resolve("round-" + ++round);
    Path staging = Files.createDirectories(base.resolve(".staging"));
    List<Path> targets = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      targets.add(Files.createDirectories(base.resolve(Integer.toString(bucket))));
    }
    forEach(targets, BareCommit::sync);
    long nanos = 0;
    for (int checkpoint = 1; checkpoint <= ManyBuckets.CHECKPOINTS; checkpoint++) {
      nanos += checkpoint(staging, targets, checkpoint);
    }
    return new Measurement(Map.of(ManyBuckets.MILLIS, nanos / 1e6 / ManyBuckets.CHECKPOINTS));
  }

  private long checkpoint(Path staging, List<Path> targets, int number) throws Exception {
    List<Staged> files = new ArrayList<>();
    for (Path target : targets) {
      Path name = staging.resolve(number + "-" + files.size());
      files.add(
          new Staged(
              name,
              target.resolve(Integer.toString(number)),
              FileChannel.open(name, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
    }
    long start = System.nanoTime();
    forEach(files, Staged::write);
    forEach(files, Staged::publish);
    return System.nanoTime() - start;
  }

  private <T> void forEach(List<T> all, Step<T> step) throws Exception {
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (T one : all) {
      tasks.add(
          () -> {
            step.run(one);
            return null;
          });
    }
    for (Future<@Nullable Void> done : pool.invokeAll(tasks)) {
      done.get();
    }
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }

  @FunctionalInterface
  private interface Step<T> {
    void run(T one) throws IOException;
  }

  private record Staged(Path name, Path target, FileChannel channel) {

    void write() throws IOException {
      try (channel) {
        channel.write(ByteBuffer.allocateDirect(BYTES));
        channel.force(true);
      }
    }

    void publish() throws IOException {
      Files.createLink(target, name);
      sync(Objects.requireNonNull(target.getParent()));
    }
  }
}
