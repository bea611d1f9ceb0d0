package dev.twophase.benchmarks.core;

import dev.twophase.TransactionalConnector;
import dev.twophase.WriteContext;
import dev.twophase.benchmarks.harness.NoTime;
import dev.twophase.benchmarks.harness.SinkChain;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One record into an open transaction, in steady state. Through an adapter it passes Flink's sink
 * operator too, so the adapter's cost is stated too high by that operator's, never too low.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordCost {

  /** The connector called without anything around it. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init")
  public static class Direct {

    TransactionalConnector<String, EmptyTransaction, String> connector;
    EmptyTransaction transaction;
    WriteContext context;
    String value;

    @Setup(Level.Trial)
    public void open() {
      connector = new EmptyConnector();
      transaction = new EmptyTransaction();
      context = NoTime.INSTANCE;
      value = "record";
    }
  }

  /** A sink operator with an open transaction. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init")
  public static class Adapted {

    @Param({"SINK_V2"})
    public Adapter adapter;

    SinkChain chain;
    String value;

    @Setup(Level.Trial)
    public void open() throws Exception {
      chain = SinkChain.open(adapter::attach);
      value = "record";
      chain.write(value);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      chain.close();
    }
  }

  @Benchmark
  public void direct(Direct state) throws Exception {
    state.connector.write(state.transaction, state.value, state.context);
  }

  @Benchmark
  public void adapted(Adapted state) throws Exception {
    state.chain.write(state.value);
  }
}
