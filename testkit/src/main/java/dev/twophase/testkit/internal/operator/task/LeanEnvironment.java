package dev.twophase.testkit.internal.operator.task;

import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.JobInfoImpl;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.accumulators.AccumulatorRegistry;
import org.apache.flink.runtime.broadcast.BroadcastVariableManager;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointMetrics;
import org.apache.flink.runtime.checkpoint.TaskStateSnapshot;
import org.apache.flink.runtime.checkpoint.channel.ChannelStateWriteRequestExecutorFactory;
import org.apache.flink.runtime.checkpoint.channel.ChannelStateWriter;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.executiongraph.ExecutionGraphID;
import org.apache.flink.runtime.externalresource.ExternalResourceInfoProvider;
import org.apache.flink.runtime.io.disk.iomanager.IOManager;
import org.apache.flink.runtime.io.network.TaskEventDispatcher;
import org.apache.flink.runtime.io.network.api.writer.ResultPartitionWriter;
import org.apache.flink.runtime.io.network.partition.consumer.IndexedInputGate;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.jobgraph.tasks.InputSplitProvider;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.SharedResources;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.query.TaskKvStateRegistry;
import org.apache.flink.runtime.scheduler.strategy.ExecutionVertexID;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.runtime.taskexecutor.GlobalAggregateManager;
import org.apache.flink.runtime.taskmanager.TaskManagerActions;
import org.apache.flink.runtime.taskmanager.TaskManagerRuntimeInfo;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * The environment of one attempt of one subtask. There is no network, no managed memory and no
 * spilling: an operator that asks for them is told that this tier cannot run it.
 */
final class LeanEnvironment implements Environment {

  private static final JobVertexID VERTEX = new JobVertexID(1, 1);
  private static final ExecutionGraphID GRAPH = new ExecutionGraphID();
  private static final int MAX_PARALLELISM = 128;
  private static final String TASK_NAME = "sink";

  private final TaskSettings settings;
  private final TaskStateManager state;
  private final Configuration taskConfiguration = new Configuration();
  private final JobInfo jobInfo;
  private final TaskInfo taskInfo;
  private final ExecutionAttemptID executionId;
  private final AccumulatorRegistry accumulators;
  private final UserCodeClassLoader userClassLoader;
  private @Nullable MailboxExecutor mailbox;
  private @Nullable ExecutorService asyncOperations;
  private @Nullable CheckpointStorageAccess checkpointStorage;
  private ChannelStateWriter channelStateWriter = ChannelStateWriter.NO_OP;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable InconclusiveException refusal;

  LeanEnvironment(TaskSettings settings, TaskStateManager state) {
    this.settings = settings;
    this.state = state;
    jobInfo = new JobInfoImpl(settings.job(), "twophase-testkit");
    taskInfo =
        new TaskInfoImpl(
            TASK_NAME,
            Math.max(MAX_PARALLELISM, settings.parallelism()),
            settings.subtask(),
            settings.parallelism(),
            settings.attempt());
    executionId =
        new AttemptId(GRAPH, new ExecutionVertexID(VERTEX, settings.subtask()), settings.attempt());
    accumulators = new AccumulatorRegistry(settings.job(), executionId);
    userClassLoader = SimpleUserCodeClassLoader.create(settings.userClassLoader());
  }

  /** What a thread of the sink or a timer reported as the task's failure; null if nothing did. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void failExternally(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  @Override
  public ExecutionConfig getExecutionConfig() {
    return settings.executionConfig();
  }

  @Override
  public JobID getJobID() {
    return settings.job();
  }

  @Override
  public JobType getJobType() {
    return JobType.STREAMING;
  }

  @Override
  public JobVertexID getJobVertexId() {
    return VERTEX;
  }

  @Override
  public ExecutionAttemptID getExecutionId() {
    return executionId;
  }

  @Override
  public Configuration getTaskConfiguration() {
    return taskConfiguration;
  }

  @Override
  public TaskManagerRuntimeInfo getTaskManagerInfo() {
    return DefaultRuntimeInfo.INSTANCE;
  }

  @Override
  public TaskMetricGroup getMetricGroup() {
    return NoMetrics.OF_ALL_TASKS;
  }

  @Override
  public Configuration getJobConfiguration() {
    return settings.jobConfiguration();
  }

  @Override
  public JobInfo getJobInfo() {
    return jobInfo;
  }

  @Override
  public TaskInfo getTaskInfo() {
    return taskInfo;
  }

  @Override
  public InputSplitProvider getInputSplitProvider() {
    throw unsupported("input splits");
  }

  @Override
  public TaskOperatorEventGateway getOperatorCoordinatorEventGateway() {
    throw unsupported("an operator coordinator");
  }

  @Override
  public IOManager getIOManager() {
    throw unsupported("spilling to disk");
  }

  @Override
  public MemoryManager getMemoryManager() {
    throw unsupported("managed memory");
  }

  @Override
  public SharedResources getSharedResources() {
    throw unsupported("shared resources");
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return userClassLoader;
  }

  @Override
  public Map<String, Future<Path>> getDistributedCacheEntries() {
    return Map.of();
  }

  @Override
  public BroadcastVariableManager getBroadcastVariableManager() {
    throw unsupported("broadcast variables");
  }

  @Override
  public TaskStateManager getTaskStateManager() {
    return state;
  }

  @Override
  public GlobalAggregateManager getGlobalAggregateManager() {
    throw unsupported("global aggregates");
  }

  @Override
  public ExternalResourceInfoProvider getExternalResourceInfoProvider() {
    return ExternalResourceInfoProvider.NO_EXTERNAL_RESOURCES;
  }

  @Override
  public AccumulatorRegistry getAccumulatorRegistry() {
    return accumulators;
  }

  @Override
  public TaskKvStateRegistry getTaskKvStateRegistry() {
    throw unsupported("keyed state");
  }

  @Override
  public void acknowledgeCheckpoint(long checkpointId, CheckpointMetrics checkpointMetrics) {}

  @Override
  public void acknowledgeCheckpoint(
      long checkpointId, CheckpointMetrics checkpointMetrics, TaskStateSnapshot subtaskState) {}

  @Override
  public void declineCheckpoint(long checkpointId, CheckpointException cause) {}

  @Override
  public ResultPartitionWriter getWriter(int index) {
    throw unsupported("network output");
  }

  @Override
  public ResultPartitionWriter[] getAllWriters() {
    return new ResultPartitionWriter[0];
  }

  @Override
  public IndexedInputGate getInputGate(int index) {
    throw unsupported("network input");
  }

  @Override
  public IndexedInputGate[] getAllInputGates() {
    return new IndexedInputGate[0];
  }

  @Override
  public TaskEventDispatcher getTaskEventDispatcher() {
    throw unsupported("task events");
  }

  @Override
  public TaskManagerActions getTaskManagerActions() {
    throw unsupported("a task manager");
  }

  @Override
  public void setMainMailboxExecutor(MailboxExecutor mailbox) {
    this.mailbox = mailbox;
  }

  @Override
  public MailboxExecutor getMainMailboxExecutor() {
    return present(mailbox);
  }

  @Override
  public void setAsyncOperationsThreadPool(ExecutorService asyncOperations) {
    this.asyncOperations = asyncOperations;
  }

  @Override
  public ExecutorService getAsyncOperationsThreadPool() {
    return present(asyncOperations);
  }

  @Override
  public void setCheckpointStorageAccess(CheckpointStorageAccess checkpointStorage) {
    this.checkpointStorage = checkpointStorage;
  }

  @Override
  public CheckpointStorageAccess getCheckpointStorageAccess() {
    return present(checkpointStorage);
  }

  @Override
  public ChannelStateWriteRequestExecutorFactory getChannelStateExecutorFactory() {
    throw unsupported("channel state");
  }

  // The next two implement Environment on Flink 2 and are unused on 1.20; hence no @Override.

  @SuppressWarnings("MissingOverride")
  public void setChannelStateWriter(ChannelStateWriter channelStateWriter) {
    this.channelStateWriter = channelStateWriter;
  }

  @SuppressWarnings("MissingOverride")
  public ChannelStateWriter getChannelStateWriter() {
    return channelStateWriter;
  }

  private static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("the task is not set up yet");
    }
    return value;
  }

  /**
   * Remembers the refusal, because the sink may handle the exception: a run in which anything was
   * refused proves nothing.
   */
  InconclusiveException unsupported(String what) {
    return refuse(
        "The operator tier has no "
            + what
            + ", which the sink asks for; run it in the cluster tier");
  }

  InconclusiveException refuse(String message) {
    InconclusiveException refused = new InconclusiveException(message);
    refusal = refused;
    return refused;
  }

  /** The last refusal; null if everything that was asked for could be given. */
  @Nullable InconclusiveException refusal() {
    return refusal;
  }

  /**
   * Flink writes the id of an attempt into names of threads that never start: formatting is dear.
   */
  private static final class AttemptId extends ExecutionAttemptID {

    private static final long serialVersionUID = 1L;

    AttemptId(ExecutionGraphID graph, ExecutionVertexID vertex, int attempt) {
      super(graph, vertex, attempt);
    }

    @Override
    public String toString() {
      return VERTEX + "_" + getSubtaskIndex() + "_" + getAttemptNumber();
    }
  }
}
