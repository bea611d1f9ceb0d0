package dev.twophase.testkit.internal.operator.plan;

import dev.twophase.testkit.internal.operator.task.LineSinkFunctions;
import org.apache.flink.api.common.functions.Function;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;

/**
 * Attaches the sink under test to a stream, as a job would. It is called once for every parallelism
 * at which the sink runs.
 *
 * @param <IN> type of the sink's records
 */
@FunctionalInterface
public interface SinkAttachment<IN> {

  DataStreamSink<?> attach(DataStream<IN> stream);

  /** Attaches a sink of the Sink V2 API. */
  static <IN> SinkAttachment<IN> of(Sink<IN> sink) {
    return stream -> stream.sinkTo(sink);
  }

  /**
   * Attaches a {@code SinkFunction}, whose package depends on the Flink line.
   *
   * @throws IllegalArgumentException at attaching, if the function is none
   */
  static <IN> SinkAttachment<IN> ofFunction(Function function) {
    return stream -> LineSinkFunctions.add(stream, function);
  }

  /**
   * Attaches whatever a sink's author has.
   *
   * @throws IllegalArgumentException if it is no sink
   */
  @SuppressWarnings("unchecked") // the author vouches for the type of the records
  static <IN> SinkAttachment<IN> ofAny(Object sink) {
    if (sink instanceof Sink<?>) {
      return of((Sink<IN>) sink);
    }
    if (LineSinkFunctions.isSinkFunction(sink)) {
      return ofFunction((Function) sink);
    }
    throw new IllegalArgumentException(
        sink.getClass().getName() + " is no Flink Sink and no SinkFunction");
  }
}
