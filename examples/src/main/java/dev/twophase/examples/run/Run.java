package dev.twophase.examples.run;

import dev.twophase.examples.faults.FaultKind;
import dev.twophase.examples.faults.FaultPlan;
import dev.twophase.examples.faults.FaultReport;
import dev.twophase.examples.kafka.Feeder;
import dev.twophase.examples.lines.LineIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.util.ExceptionUtils;

/** Runs the job to its end through all planned faults. Used by one thread. */
final class Run {

  private static final long TICK_MILLIS = 100;

  private final RunSpec spec;
  private final FaultPlan plan;
  private final Consumer<RunMessage> out;

  private int parallelism;
  private int told;
  private long steppedAt = System.nanoTime();

  Run(RunSpec spec, Consumer<RunMessage> out) {
    this.spec = spec;
    this.out = out;
    this.parallelism = spec.parallelism();
    this.plan =
        new FaultPlan(
            spec.plan(),
            spec.stretches(),
            spec.recordsPerSecond(),
            spec.guarantee() == DeliveryGuarantee.EXACTLY_ONCE);
  }

  /** Returns how it ended. */
  RunEnd toTheEnd() throws Exception {
    plan.install();
    Files.createDirectories(spec.data());
    Files.createDirectories(spec.checkpoints());
    DemoJob demo = new DemoJob(spec);
    Optional<Feeder> feeder = feeder();
    try (Cluster cluster =
        new Cluster(parallelism, Files.createDirectories(spec.work().resolve("tmp")))) {
      feeder.ifPresent(Feeder::start);
      JobID job = cluster.submit(demo.graph(parallelism, SavepointRestoreSettings.none()));
      steppedAt = System.nanoTime();
      CompletableFuture<JobResult> result = cluster.result(job);
      while (!ended(result)) {
        tell();
        if (feeder.isPresent()) {
          feeder.get().check();
          if (plan.safePosition() >= spec.records()) {
            cluster.drain(job, spec.checkpoints());
          }
        }
        Optional<FaultKind> fault = plan.outsideFault();
        if (fault.isPresent() && fault.get() == FaultKind.RESCALE) {
          job = rescale(cluster, demo, job);
          result = cluster.result(job);
        } else if (fault.isPresent()) {
          plan.strikeFromOutside(fault.get(), "1 of " + parallelism);
          cluster.replaceTaskManager();
        }
        Optional<RunEnd> stuck = stuck();
        if (stuck.isPresent()) {
          return stuck.get();
        }
      }
      tell();
      return end(result.get());
    } finally {
      feeder.ifPresent(Feeder::close);
    }
  }

  private Optional<Feeder> feeder() throws IOException {
    return spec.topics().isEmpty()
        ? Optional.empty()
        : Optional.of(new Feeder(LineIndex.of(spec.input()), plan, spec.topics().get()));
  }

  private JobID rescale(Cluster cluster, DemoJob demo, JobID job) throws Exception {
    plan.strikeFromOutside(FaultKind.RESCALE, "sink, " + parallelism + " to " + (parallelism + 1));
    String savepoint = cluster.stop(job, spec.checkpoints());
    parallelism++;
    cluster.addTaskManager();
    return cluster.submit(demo.graph(parallelism, SavepointRestoreSettings.forPath(savepoint)));
  }

  private static boolean ended(CompletableFuture<JobResult> result) throws Exception {
    try {
      result.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException running) {
      return false;
    }
  }

  private void tell() {
    List<FaultReport> reports = plan.reports();
    for (FaultReport report : reports.subList(told, reports.size())) {
      out.accept(new RunMessage.Recovered(report));
      steppedAt = System.nanoTime();
    }
    told = reports.size();
    out.accept(new RunMessage.Moment(plan.progress()));
  }

  private Optional<RunEnd> stuck() {
    FaultPlan.Progress progress = plan.progress();
    if (progress.next().isEmpty() || secondsSinceStep() < spec.patienceSeconds()) {
      return Optional.empty();
    }
    String late = " within " + spec.patienceSeconds() + " s (--patience): ";
    String fault = late + progress.next().get().text();
    if (progress.struck()) {
      out.accept(new RunMessage.Failed("did not recover" + fault));
      return Optional.of(RunEnd.FAILED);
    }
    out.accept(new RunMessage.Failed("did not strike" + fault));
    return Optional.of(RunEnd.NOT_STRUCK);
  }

  private double secondsSinceStep() {
    return (System.nanoTime() - steppedAt) * 1e-9;
  }

  private RunEnd end(JobResult result) {
    if (!result.isSuccess()) {
      String cause =
          result
              .getSerializedThrowable()
              .map(error -> ExceptionUtils.stringifyException(error).lines().findFirst().orElse(""))
              .orElse(result.toString());
      out.accept(new RunMessage.Failed("the job failed: " + cause));
      return RunEnd.FAILED;
    }
    Optional<FaultKind> open = plan.progress().next();
    if (open.isPresent()) {
      out.accept(new RunMessage.Failed("the input ended before: " + open.get().text()));
      return RunEnd.NOT_STRUCK;
    }
    return RunEnd.FINISHED;
  }
}
