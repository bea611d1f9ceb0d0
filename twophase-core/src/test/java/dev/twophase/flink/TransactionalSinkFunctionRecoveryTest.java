package dev.twophase.flink;

import dev.twophase.policy.SinkOptions;
import dev.twophase.store.MemoryConnector;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The same jobs, faults and rescales through the older API. */
class TransactionalSinkFunctionRecoveryTest extends TransactionalSinkRecoveryTest {

  @Override
  void addSink(
      DataStream<String> stream, String name, MemoryConnector connector, SinkOptions options) {
    TransactionalSinkFunction.addTo(
        stream, "sink", TransactionalSinkFunction.of(name, connector, options));
  }
}
