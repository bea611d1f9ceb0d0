package dev.twophase.testkit.internal.operator.task;

import org.apache.flink.api.common.functions.Function;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.functions.sink.legacy.SinkFunction;

/** Names the type {@code SinkFunction}, whose package depends on the Flink line. */
public final class LineSinkFunctions {

  private LineSinkFunctions() {}

  /** Whether this is a {@code SinkFunction} of this Flink line. */
  @SuppressWarnings("deprecation")
  public static boolean isSinkFunction(Object candidate) {
    return candidate instanceof SinkFunction<?>;
  }

  /**
   * Adds a sink function to a stream.
   *
   * @throws IllegalArgumentException if the function is not a {@code SinkFunction} of this Flink
   */
  @SuppressWarnings({"unchecked", "deprecation"})
  public static <T> DataStreamSink<T> add(DataStream<T> stream, Function function) {
    if (!(function instanceof SinkFunction)) {
      throw new IllegalArgumentException(
          function.getClass().getName() + " is no " + SinkFunction.class.getName());
    }
    return stream.addSink((SinkFunction<T>) function);
  }
}
