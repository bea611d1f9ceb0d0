package dev.twophase.examples.quickstart;

import dev.twophase.file.TransactionalFileSink;
import java.nio.file.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Numbers to files, exactly once: {@code java … QuickStart DIRECTORY}. */
public final class QuickStart {

  private QuickStart() {}

  /** Runs the job in this JVM. */
  public static void main(String[] arguments) throws Exception {
    run(Path.of(arguments[0]));
  }

  static void run(Path directory) throws Exception {
    // tag::job[]
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.enableCheckpointing(1_000);

    env.fromSequence(1, 1_000_000)
        .map(number -> "order " + number)
        .sinkTo(TransactionalFileSink.forLines(directory).name("orders").buildSink())
        .uid("orders-sink");

    env.execute();
    // end::job[]
  }
}
