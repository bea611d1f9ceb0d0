package dev.twophase.examples.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** A Flink cluster in this JVM whose TaskManagers have one slot each. Used by one thread. */
final class Cluster implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final MiniCluster cluster;
  private int oldest;

  /** Starts it. */
  Cluster(int taskManagers, Path temporary) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(4));
    configuration.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofSeconds(1));
    configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofSeconds(10));
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(1)
                .withRandomPorts()
                .build());
    cluster.start();
  }

  JobID submit(JobGraph graph) throws Exception {
    return await(cluster.submitJob(graph)).getJobID();
  }

  /** Completes when the job has reached its end, however it ended. */
  CompletableFuture<JobResult> result(JobID job) {
    return cluster.requestJobResult(job);
  }

  /** Ends the oldest TaskManager and its tasks, and has another take its place. */
  void replaceTaskManager() throws Exception {
    await(cluster.terminateTaskManager(oldest));
    oldest++;
    cluster.startTaskManager();
  }

  void addTaskManager() throws Exception {
    cluster.startTaskManager();
  }

  /** Stops the job and returns the path of the savepoint from which it can go on. */
  String stop(JobID job, Path directory) throws Exception {
    return stop(job, directory, false);
  }

  /** Lets the job come to its end: whatever waits for more input is sent on and committed. */
  void drain(JobID job, Path directory) throws Exception {
    stop(job, directory, true);
  }

  private String stop(JobID job, Path directory, boolean drain) throws Exception {
    String savepoint =
        await(
            cluster.stopWithSavepoint(
                job, directory.toUri().toString(), drain, SavepointFormatType.CANONICAL));
    await(cluster.requestJobResult(job));
    return savepoint;
  }

  private static <T> T await(CompletableFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
