package dev.twophase.benchmarks.kafka;

import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.job.VisibleRate;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Whole jobs of parallelism 1 with a checkpoint every second: each round is one job per size of
 * record, in one JVM. A job runs for about the same time on all sides, see {@link JobLength}. What
 * it has written is read and counted while it warms up; later the ends of the partitions are looked
 * at, which takes less time. The variant is a {@link KafkaSinkKind}, a slash, and the sizes in
 * bytes.
 */
public final class KafkaJob implements Contender {

  private static final long CHECKPOINT_MILLIS = 1000;
  private static final long BYTES_AT_FIRST = 50_000_000;
  private static final double SECONDS_TO_WARM_UP = 7;
  private static final double SECONDS_PER_JOB = 3.2;
  private static final int PARTITIONS = 4;

  private final String bootstrapServers = KafkaSide.bootstrapServers();
  private @Nullable KafkaSinkKind kind;
  private final List<Size> sizes = new ArrayList<>();
  private boolean warm;

  /** The records of one size. */
  private static final class Size {
    final int bytes;
    final String[] strings;
    final JobLength length;

    Size(int bytes, double scale) {
      this.bytes = bytes;
      this.strings = Records.make(bytes);
      this.length =
          new JobLength(RunSettings.scaled(BYTES_AT_FIRST / bytes, scale), SECONDS_PER_JOB * scale);
    }
  }

  private double scale;

  /** Name of the time that all records of a size took to pass. */
  static String seconds(int bytes) {
    return bytes + "B-s";
  }

  /** Name of the rate at a size. */
  static String rate(int bytes) {
    return bytes + "B-visible-records/s";
  }

  /** Name of the client's processor time at a size. */
  static String cpu(int bytes) {
    return bytes + "B-client-cpu-us/record";
  }

  /** Name of the broker's processor time at a size. */
  static String brokerCpu(int bytes) {
    return bytes + "B-broker-cpu-us/record";
  }

  @Override
  public void open(String variant, Path working, double factor) {
    String[] parts = variant.split("/", -1);
    kind = KafkaSinkKind.valueOf(parts[0]);
    scale = factor;
    for (String bytes : parts[1].split(",", -1)) {
      sizes.add(new Size(Integer.parseInt(bytes), scale));
    }
  }

  @Override
  public Measurement round() throws Exception {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (Size size : sizes) {
      // A cold JVM becomes many times faster, so that the first jobs are over before it is warm.
      double seconds = 0;
      do {
        seconds += job(size, figures);
      } while (warm ? size.length.saysNothing() : seconds < SECONDS_TO_WARM_UP * scale);
    }
    warm = true;
    return new Measurement(figures);
  }

  /** Returns for how many seconds records have passed. */
  private double job(Size size, Map<String, Double> figures) throws Exception {
    if (kind == null) {
      throw new IllegalStateException("Not opened");
    }
    long records = size.length.records();
    try (FreshTopic topic = new FreshTopic(bootstrapServers, PARTITIONS)) {
      StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1);
      environment.enableCheckpointing(CHECKPOINT_MILLIS);
      environment.getConfig().enableObjectReuse();
      environment
          .fromSequence(0, records - 1)
          .map(new VisibleRate<>(Records.picking(size.strings), records))
          .returns(Types.STRING)
          .sinkTo(kind.sink(bootstrapServers, topic.name()))
          .uid("sink");
      KafkaSide.awaitIdleBroker();
      long brokerBefore = KafkaSide.brokerCpuNanos();
      JobExecutionResult result = environment.execute("benchmark");
      double brokerCpu = (KafkaSide.brokerCpuNanos() - brokerBefore) / 1e3 / records;
      if (warm) {
        topic.requireEnds(records);
      } else {
        topic.require(records);
      }
      long visible = result.<Long>getAccumulatorResult(VisibleRate.RECORDS);
      long nanos = result.<Long>getAccumulatorResult(VisibleRate.NANOS);
      double seconds = result.<Long>getAccumulatorResult(VisibleRate.ALL_NANOS) / 1e9;
      double cpu = result.<Long>getAccumulatorResult(VisibleRate.ALL_CPU_NANOS) / 1e3 / records;
      size.length.took(seconds);
      figures.put(rate(size.bytes), visible * 1e9 / nanos);
      figures.put(cpu(size.bytes), cpu);
      figures.put(brokerCpu(size.bytes), brokerCpu);
      figures.put(seconds(size.bytes), seconds);
      return seconds;
    }
  }

  @Override
  public void close() {}
}
