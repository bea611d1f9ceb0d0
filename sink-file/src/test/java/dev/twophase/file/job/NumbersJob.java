package dev.twophase.file.job;

import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job of numbers from 1, each in the bucket of its remainder, with a checkpoint every 50 ms. */
final class NumbersJob {

  private NumbersJob() {}

  /** The sink of such a job. */
  static TransactionalFileSink<String> sink(Path directory) {
    return named(TransactionalFileSink.forLines(directory));
  }

  /** The same on HDFS. */
  static TransactionalFileSink<String> sink(URI directory) {
    return named(TransactionalFileSink.forLines(directory)).hadoopOption("dfs.replication", "1");
  }

  private static TransactionalFileSink<String> named(TransactionalFileSink<String> sink) {
    return sink.name("orders").bucketAssigner(new Sinks.BeforeColon());
  }

  /**
   * Not yet running.
   *
   * @param last the number that ends it
   * @param buckets how many
   * @param pauseNanos after each number
   */
  static StreamExecutionEnvironment of(
      Configuration configuration,
      TransactionalFileSink<String> sink,
      long last,
      int buckets,
      long pauseNanos) {
    return of(configuration, sink, last, buckets, pauseNanos, "sink");
  }

  /** The same with a uid of the sink. */
  static StreamExecutionEnvironment of(
      Configuration configuration,
      TransactionalFileSink<String> sink,
      long last,
      int buckets,
      long pauseNanos,
      String uid) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(2);
    environment.enableCheckpointing(50);
    environment
        .fromSequence(1, last)
        .setParallelism(1)
        .uid("numbers")
        .map(
            number -> {
              LockSupport.parkNanos(pauseNanos);
              return number % buckets + ":" + number;
            })
        .returns(Types.STRING)
        .setParallelism(1)
        .rebalance()
        .sinkTo(sink.buildSink())
        .uid(uid);
    return environment;
  }

  /** The number in a line. */
  static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(':') + 1));
  }
}
