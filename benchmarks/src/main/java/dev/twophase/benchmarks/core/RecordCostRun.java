package dev.twophase.benchmarks.core;

import dev.twophase.benchmarks.run.JvmFlags;
import dev.twophase.benchmarks.run.RunSettings;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One fork of JMH.
 *
 * @param nanos per record
 * @param bytes allocated per record
 */
record RecordCostRun(double nanos, double bytes) {

  private static final String ALLOCATION = "gc.alloc.rate.norm";
  private static final long WARM_UP_MILLIS = 300;
  private static final long MEASURE_MILLIS = 300;
  private static final int ITERATIONS = 5;

  /** Measures an adapter, or the connector alone where there is none. */
  static RecordCostRun fork(@Nullable Adapter adapter, RunSettings settings)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(RecordCost.class.getName() + (adapter == null ? ".direct$" : ".adapted$"))
            .forks(1)
            .warmupIterations(ITERATIONS)
            .warmupTime(time(WARM_UP_MILLIS, settings))
            .measurementIterations(ITERATIONS)
            .measurementTime(time(MEASURE_MILLIS, settings))
            .jvmArgs(JvmFlags.OPENS.toArray(String[]::new))
            .jvmArgsAppend("-Xmx512m", "-Djmh.ignoreLock=true")
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    if (adapter != null) {
      options = options.param("adapter", adapter.name());
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    if (results.size() != 1) {
      throw new IllegalStateException("Expected one result of JMH, got " + results.size());
    }
    RunResult result = results.iterator().next();
    Result<?> allocation = result.getSecondaryResults().get(ALLOCATION);
    if (allocation == null) {
      throw new IllegalStateException("JMH measured no " + ALLOCATION);
    }
    // The median iteration: one that the machine interrupted must not speak for the adapter.
    return new RecordCostRun(
        result.getPrimaryResult().getStatistics().getPercentile(50), allocation.getScore());
  }

  private static TimeValue time(long millis, RunSettings settings) {
    return new TimeValue(RunSettings.scaled(millis, settings.scale()), TimeUnit.MILLISECONDS);
  }
}
