package dev.twophase.benchmarks.kafka;

import dev.twophase.benchmarks.job.Records;
import dev.twophase.benchmarks.job.VisibleRate;
import dev.twophase.benchmarks.run.Contender;
import dev.twophase.benchmarks.run.Measurement;
import dev.twophase.benchmarks.run.RunSettings;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * A whole job of parallelism 1 with a checkpoint every second. Each round runs for about the same
 * time on all sides: the number of records follows from the rate of the round before. The variant
 * is a {@link KafkaSinkKind}, a slash, and the bytes of a record.
 */
public final class KafkaJob implements Contender {

  static final String RATE = "visible-records/s";
  static final String CPU = "client-cpu-us/record";

  private static final long CHECKPOINT_MILLIS = 1000;
  private static final long BYTES_AT_FIRST = 100_000_000;
  private static final double SECONDS_PER_ROUND = 4.5;
  private static final int PARTITIONS = 4;

  private final String bootstrapServers = KafkaSide.bootstrapServers();
  private @Nullable KafkaSinkKind kind;
  private String[] strings = {};
  private double scale;
  private long records;

  @Override
  public void open(String variant, Path working, double factor) {
    String[] parts = variant.split("/", -1);
    int bytes = Integer.parseInt(parts[1]);
    kind = KafkaSinkKind.valueOf(parts[0]);
    strings = Records.make(bytes);
    scale = factor;
    records = RunSettings.scaled(BYTES_AT_FIRST / bytes, scale);
  }

  @Override
  public Measurement round() throws Exception {
    if (kind == null) {
      throw new IllegalStateException("Not opened");
    }
    try (FreshTopic topic = new FreshTopic(bootstrapServers, PARTITIONS)) {
      StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1);
      environment.enableCheckpointing(CHECKPOINT_MILLIS);
      environment.getConfig().enableObjectReuse();
      environment
          .fromSequence(0, records - 1)
          .map(new VisibleRate<>(Records.picking(strings), records))
          .returns(Types.STRING)
          .sinkTo(kind.sink(bootstrapServers, topic.name(), topic.name()))
          .uid("sink");
      JobExecutionResult result = environment.execute("benchmark");
      topic.require(records);
      long visible = result.<Long>getAccumulatorResult(VisibleRate.RECORDS);
      long nanos = result.<Long>getAccumulatorResult(VisibleRate.NANOS);
      double seconds = result.<Long>getAccumulatorResult(VisibleRate.ALL_NANOS) / 1e9;
      double cpu = result.<Long>getAccumulatorResult(VisibleRate.ALL_CPU_NANOS) / 1e3 / records;
      records = RunSettings.scaled((long) (records / seconds * SECONDS_PER_ROUND), scale);
      return new Measurement(Map.of(RATE, visible * 1e9 / nanos, CPU, cpu));
    }
  }

  @Override
  public void close() {}
}
