package dev.twophase.internal.flink.setup;

import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.policy.SinkOptions;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.AbstractUdfStreamOperator;
import org.apache.flink.streaming.api.operators.SimpleUdfStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.transformations.LegacySinkTransformation;
import org.apache.flink.streaming.api.transformations.SinkTransformation;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses, while the job graph is built, what would lose or duplicate data silently (E3, R6): the
 * earliest moment at which checkpoint settings, uids and sibling sinks can be seen.
 */
public final class JobGraphCheck {

  private static final Logger LOG = LoggerFactory.getLogger(JobGraphCheck.class);

  private final NamedSink sink;
  private final SinkOptions options;
  private final StreamExecutionEnvironment environment;

  public JobGraphCheck(
      NamedSink sink, SinkOptions options, StreamExecutionEnvironment environment) {
    this.sink = sink;
    this.options = options;
    this.environment = environment;
  }

  /**
   * Makes every check that concerns both APIs.
   *
   * @param connector that the sink is made of
   * @throws SetupRefusedException naming setting, value and remedy
   */
  public JobSetup check(TransactionalConnector<?, ?, ?> connector) {
    JobSetup setup = setup();
    checkNameIsUnique();
    if (options.guarantee() == DeliveryGuarantee.EXACTLY_ONCE && !setup.batch()) {
      checkCheckpointing(setup);
      checkLifetime(connector, setup);
    }
    return setup;
  }

  private JobSetup setup() {
    long interval =
        environment.getCheckpointConfig().isCheckpointingEnabled()
            ? environment.getCheckpointConfig().getCheckpointInterval()
            : 0;
    return new JobSetup(isBatch(), interval);
  }

  private boolean isBatch() {
    RuntimeExecutionMode mode = environment.getConfiguration().get(ExecutionOptions.RUNTIME_MODE);
    if (mode != RuntimeExecutionMode.AUTOMATIC) {
      return mode == RuntimeExecutionMode.BATCH;
    }
    return environment.getTransformations().stream()
        .flatMap(transformation -> predecessors(transformation))
        .noneMatch(
            source ->
                source instanceof WithBoundedness bounded
                    && bounded.getBoundedness() != Boundedness.BOUNDED);
  }

  private static Stream<Transformation<?>> predecessors(Transformation<?> transformation) {
    return transformation.getTransitivePredecessors().stream()
        .map(each -> (Transformation<?>) each);
  }

  private void checkCheckpointing(JobSetup setup) {
    if (!setup.checkpointing()) {
      throw refuse(
          CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
          "not set",
          "Exactly-once needs checkpoints: call env.enableCheckpointing(interval), or choose"
              + " AT_LEAST_ONCE");
    }
    if (!environment
        .getConfiguration()
        .get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)) {
      throw refuse(
          CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key(),
          "false",
          "The last records of a bounded job would never be committed: set it to true");
    }
    JobSetup.refuseReplayedRecords(
        sink.sinkName(), environment.getCheckpointConfig().getCheckpointingConsistencyMode());
    warnOfStateThatGoesWithTheJob();
  }

  private void warnOfStateThatGoesWithTheJob() {
    ExternalizedCheckpointRetention retention =
        environment.getConfiguration().get(CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION);
    if (retention == ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS) {
      LOG.warn(
          "Sink '{}': {} is {}, so a job that fails for good deletes its checkpoints, and with them"
              + " what is prepared and not yet committed: set it to {}",
          sink.sinkName(),
          CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION.key(),
          retention,
          ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    }
  }

  private void checkLifetime(TransactionalConnector<?, ?, ?> connector, JobSetup setup) {
    setup.refuseShortLifetime(sink.sinkName(), connector, options);
    setup
        .toleratedOutage(connector.transactionLifetime(), options)
        .ifPresent(
            outage ->
                LOG.info(
                    "Sink '{}' tolerates an outage of {} before prepared transactions expire",
                    sink.sinkName(),
                    outage));
  }

  private void checkNameIsUnique() {
    long sameName =
        environment.getTransformations().stream()
            .filter(transformation -> sink.sinkName().equals(nameOf(transformation)))
            .count();
    if (sameName > 1) {
      throw refuse(
          "the sink name",
          "used by " + sameName + " sinks of this job",
          "One name belongs to one sink: give each its own");
    }
  }

  private static String nameOf(Transformation<?> transformation) {
    Object candidate = null;
    if (transformation instanceof SinkTransformation<?, ?> sinkV2) {
      candidate = sinkV2.getSink();
    } else if (transformation instanceof LegacySinkTransformation<?> legacy) {
      StreamOperatorFactory<?> factory = legacy.getOperatorFactory();
      if (factory instanceof SimpleUdfStreamOperatorFactory<?> udf) {
        candidate = ((AbstractUdfStreamOperator<?, ?>) udf.getOperator()).getUserFunction();
      }
    }
    return candidate instanceof NamedSink named ? named.sinkName() : "";
  }

  /**
   * Checks that a Sink V2 sink has a uid under EXACTLY_ONCE: without one, its state is not found
   * again once the job changes.
   */
  public void checkUid() {
    if (options.guarantee() != DeliveryGuarantee.EXACTLY_ONCE) {
      return;
    }
    Set<Integer> seen = new HashSet<>();
    for (Transformation<?> transformation : environment.getTransformations()) {
      if (transformation instanceof SinkTransformation<?, ?> sinkV2
          && sinkV2.getSink() == sink
          && seen.add(sinkV2.getId())
          && sinkV2.getUid() == null) {
        throw refuse(
            "the uid",
            "not set",
            "Exactly-once needs one, so that prepared transactions are found again in a savepoint:"
                + " sinkTo(sink).uid(\"...\")");
      }
    }
  }

  private SetupRefusedException refuse(String setting, Object value, String remedy) {
    return new SetupRefusedException(sink.sinkName(), setting, String.valueOf(value), remedy);
  }
}
