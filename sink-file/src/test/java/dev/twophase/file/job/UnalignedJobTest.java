package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.file.LineEncoder;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.manifest.CommittedFile;
import dev.twophase.file.manifest.ManifestReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Barriers that overtake records: those are in the state of the channels when the job fails. */
@Tag("one-flink-line")
class UnalignedJobTest {

  private static final long RECORDS = 12_000;

  /** Told to two subtasks each. */
  private static final int TOLD_BEFORE_FAILURE = 4;

  /** After a record written; they come twice as fast. */
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private static final AtomicBoolean FAILED = new AtomicBoolean();
  private static final AtomicInteger COMPLETED = new AtomicInteger();

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void C5_whatBarriersOvertakeIsPublishedOnceAlsoAfterAFailure() throws Exception {
    FAILED.set(false);
    COMPLETED.set(0);
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(2);
    environment.enableCheckpointing(50);
    environment.getCheckpointConfig().enableUnalignedCheckpoints();
    environment
        .fromSequence(1, RECORDS)
        .uid("numbers")
        .map(new FailsOnce())
        .returns(Types.STRING)
        .rebalance()
        .sinkTo(
            TransactionalFileSink.forRows(directory, new Slow())
                .name("orders")
                .bucketAssigner(new Sinks.BeforeColon())
                .manifests()
                .buildSink())
        .uid("sink");

    environment.execute();

    assertThat(FAILED).isTrue();
    ManifestReader reader = ManifestReader.of(directory, "orders");
    List<CommittedFile> files = reader.readAll();
    assertThat(files.stream().mapToLong(CommittedFile::checkpoint).distinct().count())
        .isGreaterThan(1);
    assertThat(Sinks.lines(reader, files).stream().map(NumbersJob::number).sorted().toList())
        .isEqualTo(LongStream.rangeClosed(1, RECORDS).boxed().toList());
    assertThat(Sinks.visible(directory).stream().filter(file -> !file.startsWith("_manifests")))
        .hasSameSizeAs(files);
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  /**
   * Fails in the course of the interval after some checkpoints have been completed, for which it
   * waits with a part of its records.
   */
  private static final class FailsOnce implements MapFunction<Long, String>, CheckpointListener {

    private static final long serialVersionUID = 1L;

    @Override
    public String map(Long number) {
      if (COMPLETED.get() >= TOLD_BEFORE_FAILURE && FAILED.compareAndSet(false, true)) {
        throw new IllegalStateException("on purpose");
      }
      boolean tooFast = !FAILED.get() && number % (RECORDS / 2) > RECORDS / 4;
      LockSupport.parkNanos(tooFast ? 100 * PAUSE_NANOS : PAUSE_NANOS / 2);
      return number % 3 + ":" + number;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      COMPLETED.incrementAndGet();
    }
  }

  /** Records wait before the sink, and barriers do not wait for them. */
  private static final class Slow implements Encoder<String> {

    private static final long serialVersionUID = 1L;

    private final LineEncoder<String> lines = new LineEncoder<>();

    @Override
    public void encode(String line, OutputStream out) throws IOException {
      LockSupport.parkNanos(PAUSE_NANOS);
      lines.encode(line, out);
    }
  }
}
