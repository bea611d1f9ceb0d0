package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.operator.plan.Deployment;
import dev.twophase.testkit.internal.operator.plan.PlannedEdge;
import dev.twophase.testkit.internal.operator.plan.PlannedNode;
import dev.twophase.testkit.internal.operator.plan.SharedPlans;
import dev.twophase.testkit.internal.operator.plan.SinkAttachment;
import dev.twophase.testkit.internal.operator.plan.SinkExpansion;
import dev.twophase.testkit.internal.operator.plan.SinkPlan;
import dev.twophase.testkit.internal.operator.task.LeanTask;
import dev.twophase.testkit.internal.operator.task.RestoredState;
import dev.twophase.testkit.internal.operator.task.TaskSettings;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorFactoryUtil;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.jspecify.annotations.Nullable;

/**
 * Runs any Flink sink, expanded by Flink's own translator. Every attempt is deployed from bytes,
 * and only bytes outlive it. Its calls pass the gate that is bound to the thread at its start. Not
 * thread-safe; steps of one subtask may come from different threads, one at a time.
 *
 * @param <IN> type of the sink's records
 */
public final class OperatorTier<IN> implements Tier<SinkState> {

  private static final TestRecord SAMPLE = new TestRecord(1, "k0", 0);
  private static final JobID JOB = new JobID(1, 1);

  private final TypeInformation<IN> type;
  private final SinkAttachment<IN> attachment;
  private final Function<TestRecord, IN> toInput;
  private final Duration patience;
  private final JobID job;
  private final Map<Integer, SinkPlan> plans = new HashMap<>();
  private final SharedPlans sharedPlans;
  private final String namespace;
  private final UnaryOperator<ClassLoader> loaders;
  private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
  private long processingTime;

  /**
   * @param type of the sink's records
   * @param attachment attaches the sink
   * @param toInput makes a record of the sink's type
   * @param patience how long, in real time, a sink may wait on its mailbox
   */
  public OperatorTier(
      TypeInformation<IN> type,
      SinkAttachment<IN> attachment,
      Function<TestRecord, IN> toInput,
      Duration patience) {
    this(type, attachment, toInput, patience, new SharedPlans(), "", UnaryOperator.identity(), JOB);
  }

  private OperatorTier(
      TypeInformation<IN> type,
      SinkAttachment<IN> attachment,
      Function<TestRecord, IN> toInput,
      Duration patience,
      SharedPlans sharedPlans,
      String namespace,
      UnaryOperator<ClassLoader> loaders,
      JobID job) {
    this.job = job;
    this.loaders = loaders;
    this.type = type;
    this.attachment = attachment;
    this.toInput = toInput;
    this.patience = patience;
    this.sharedPlans = sharedPlans;
    this.namespace = namespace;
  }

  /**
   * A tier for a sink, whose type of records is found by a sample.
   *
   * @param sink a Flink {@code Sink} or {@code SinkFunction}
   * @param patience how long, in real time, a sink may wait on its mailbox
   * @throws IllegalArgumentException if it is neither
   */
  public static <IN> OperatorTier<IN> of(
      Object sink, Function<TestRecord, IN> toInput, Duration patience) {
    return of(sink, toInput, patience, new SharedPlans(), "", UnaryOperator.identity(), JOB);
  }

  /**
   * The same for one of many runs of a sink.
   *
   * @param plans of the same sink in other namespaces
   * @param namespace the one for which this sink was made
   * @param loaders asked for the class loader of each attempt, over the one of the test
   * @param job to which all attempts belong
   * @throws IllegalArgumentException if it is neither
   */
  public static <IN> OperatorTier<IN> of(
      Object sink,
      Function<TestRecord, IN> toInput,
      Duration patience,
      SharedPlans plans,
      String namespace,
      UnaryOperator<ClassLoader> loaders,
      JobID job) {
    TypeInformation<IN> type = TypeExtractor.getForObject(toInput.apply(SAMPLE));
    return new OperatorTier<>(
        type, SinkAttachment.ofAny(sink), toInput, patience, plans, namespace, loaders, job);
  }

  @Override
  public Subtask<SinkState> start(AttemptSpec<SinkState> attempt) throws Exception {
    SinkPlan plan = plan(attempt.parallelism());
    ClassLoader attemptClasses = loaders.apply(classLoader);
    SinkState state = attempt.state();
    LeanTask task =
        LeanTask.create(
            new TaskSettings(
                job,
                attempt.subtask(),
                attempt.parallelism(),
                attempt.attempt(),
                attempt.restoredCheckpoint(),
                processingTime,
                plan.jobConfiguration(),
                plan.executionConfig(),
                attemptClasses,
                patience.toMillis()),
            new RestoredState(
                attempt.restoredCheckpoint(), state == null ? Map.of() : state.operators()));
    ChainSubtask<IN> subtask = null;
    try {
      subtask = task.step(() -> deploy(plan, task, CallGate.current(), attemptClasses));
      subtask.open();
      return subtask;
    } catch (Throwable failure) {
      abandon(subtask, task, failure);
      throw failure;
    }
  }

  /** Flink closes what it had created when an attempt fails to start, unless the process died. */
  private static void abandon(@Nullable ChainSubtask<?> subtask, LeanTask task, Throwable failure) {
    CallGate gate = CallGate.current();
    boolean dead = gate != null && gate.severed();
    try {
      if (subtask == null || dead) {
        task.release(failure);
      } else {
        subtask.close();
      }
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private SinkPlan plan(int parallelism) throws IOException {
    SinkPlan plan = plans.get(parallelism);
    if (plan == null) {
      plan =
          sharedPlans.get(
              namespace,
              parallelism,
              () -> SinkExpansion.expand(type, attachment, new Configuration(), parallelism));
      plans.put(parallelism, plan);
    }
    return plan;
  }

  private ChainSubtask<IN> deploy(
      SinkPlan plan, LeanTask task, @Nullable CallGate gate, ClassLoader attemptClasses)
      throws Exception {
    SinkDecorator decorator =
        gate == null ? null : new SinkDecorator(gate, task::stepNumber, attemptClasses);
    int size = plan.nodes().size();
    RunningNode[] nodes = new RunningNode[size];
    // From the tail, so that an operator's output knows where it leads.
    for (int i = size - 1; i >= 0; i--) {
      PlannedNode node = plan.nodes().get(i);
      nodes[i] =
          create(
              node, task, output(node.outputs(), nodes, attemptClasses), decorator, attemptClasses);
    }
    return new ChainSubtask<>(
        task,
        List.of(nodes),
        output(plan.entries(), nodes, attemptClasses),
        toInput,
        time -> processingTime = Math.max(processingTime, time));
  }

  private static RoutingOutput output(
      List<PlannedEdge> edges, RunningNode[] nodes, ClassLoader attemptClasses) {
    RoutingOutput output = new RoutingOutput(attemptClasses);
    for (PlannedEdge edge : edges) {
      output.add(edge, nodes[edge.target()]);
    }
    return output;
  }

  private RunningNode create(
      PlannedNode node,
      LeanTask task,
      RoutingOutput output,
      @Nullable SinkDecorator decorator,
      ClassLoader attemptClasses)
      throws Exception {
    StreamOperatorFactory<Object> factory = Deployment.deserialize(node.factory(), attemptClasses);
    if (decorator != null) {
      decorator.decorate(factory);
    }
    Tuple2<StreamOperator<Object>, Optional<ProcessingTimeService>> created =
        StreamOperatorFactoryUtil.createOperator(
            factory, task, node.config(), output, task.eventDispatcher());
    return new RunningNode(node, created.f0, created.f1);
  }

  @Override
  public List<SinkState> repartition(List<SinkState> states, int parallelism) {
    return SinkState.repartition(states, parallelism);
  }

  @Override
  public void close() {}
}
