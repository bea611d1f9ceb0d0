package dev.twophase.flink;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Numbers from one source subtask, slow enough for a job to see many checkpoints. */
final class SlowNumbers {

  private static volatile long lastRead;

  private SlowNumbers() {}

  /** The last number that a job of this JVM has sent on. */
  static int lastRead() {
    return (int) lastRead;
  }

  static StreamExecutionEnvironment environment(int parallelism, Path restoreFrom) {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, java.time.Duration.ZERO);
    if (restoreFrom != null) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom.toUri().toString());
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(parallelism);
    environment.enableCheckpointing(20);
    return environment;
  }

  static DataStream<String> upTo(StreamExecutionEnvironment environment, int last) {
    return upTo(environment, "numbers", last);
  }

  static DataStream<String> upTo(StreamExecutionEnvironment environment, String uid, int last) {
    return environment
        .fromSequence(1, last)
        .setParallelism(1)
        .uid(uid)
        .map(
            number -> {
              LockSupport.parkNanos(20_000);
              lastRead = number;
              return "n" + number;
            })
        .returns(String.class)
        .setParallelism(1)
        .rebalance();
  }

  static List<String> expected(int last) {
    return LongStream.rangeClosed(1, last).mapToObj(number -> "n" + number).toList();
  }
}
