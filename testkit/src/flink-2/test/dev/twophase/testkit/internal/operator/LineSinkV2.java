package dev.twophase.testkit.internal.operator;

import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.StandardSinkTopologies;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.function.SerializableSupplier;

/** A sink, with those methods implemented that only one Flink line has. */
interface LineSinkV2<IN> extends Sink<IN> {

  /** Adds a global committer behind the committer. */
  static <C> void addGlobalCommitter(
      DataStream<CommittableMessage<C>> committables,
      SerializableSupplier<Committer<C>> committer,
      SerializableSupplier<SimpleVersionedSerializer<C>> serializer) {
    StandardSinkTopologies.addGlobalCommitter(committables, context -> committer.get(), serializer);
  }
}
