package dev.twophase.examples.run;

import dev.twophase.TransactionalConnector;
import dev.twophase.examples.faults.FaultPlan;
import dev.twophase.examples.faults.FaultingConnector;
import dev.twophase.examples.faults.Sabotage;
import dev.twophase.examples.kafka.CountJob;
import dev.twophase.examples.kafka.Topics;
import dev.twophase.examples.lines.LineSource;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import dev.twophase.policy.SinkOptions;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The job: lines in, one step that may fail, files out; or Kafka in, counts, Kafka and a table out.
 */
final class DemoJob {

  private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(400);

  private static final String SINK = "demo";
  private static final String TABLE = "table";

  private final RunSpec spec;

  DemoJob(RunSpec spec) {
    this.spec = spec;
  }

  /** Builds it anew. */
  JobGraph graph(int parallelism, SavepointRestoreSettings restore) throws IOException {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    environment.setParallelism(parallelism);
    if (spec.topics().isPresent()) {
      Topics topics = spec.topics().get();
      DataStream<String> counts = CountJob.counts(environment, topics, FaultPlan::current);
      DataStream<String> stepped = step(counts);
      boolean correct = spec.sabotage() == Sabotage.NONE;
      addSink(
          stepped,
          "sink",
          topics.prefix(),
          spec.sabotage().apply(CountJob.sink(topics, spec.guarantee(), correct)));
      if (spec.table().isPresent()) {
        addSink(stepped, TABLE, SINK, spec.table().get().sink(SINK, options()));
      }
    } else {
      addSink(step(lines(environment)), "sink", SINK, spec.sabotage().apply(files()));
    }
    JobGraph graph = environment.getStreamGraph().getJobGraph();
    graph.setSavepointRestoreSettings(restore);
    return graph;
  }

  private DataStream<String> lines(StreamExecutionEnvironment environment) {
    return environment
        .fromSource(
            new LineSource(spec.input(), FaultPlan::current),
            WatermarkStrategy.noWatermarks(),
            "lines")
        .uid("lines")
        .setParallelism(1)
        .rebalance();
  }

  private TransactionalConnector<String, ?, ?> files() {
    return TransactionalFileSink.forRows(spec.data(), new ByteLines())
        .name(SINK)
        .bucketAssigner(new BucketByDirectory())
        .suffix(".txt")
        .buildConnector();
  }

  private static DataStream<String> step(DataStream<String> records) {
    return records.map(new FallibleStep()).uid("step");
  }

  /**
   * @param place where its faults strike, and its uid
   */
  private <T, H> void addSink(
      DataStream<String> records,
      String place,
      String name,
      TransactionalConnector<String, T, H> connector) {
    // A table's sink is never sabotaged, and then does not draw faults from the one that is.
    TransactionalConnector<String, T, H> faulted =
        place.equals(TABLE) && spec.sabotage() != Sabotage.NONE
            ? connector
            : new FaultingConnector<>(place, connector);
    switch (spec.sinkApi()) {
      case V2 -> records.sinkTo(TransactionalSink.of(name, faulted, options())).uid(place);
      case FUNCTION ->
          TransactionalSinkFunction.addTo(
              records, place, TransactionalSinkFunction.of(name, faulted, options()));
    }
  }

  private SinkOptions options() {
    return SinkOptions.defaults().withGuarantee(spec.guarantee());
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, spec.checkpoints().toUri().toString());
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 3);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
    return configuration;
  }
}
