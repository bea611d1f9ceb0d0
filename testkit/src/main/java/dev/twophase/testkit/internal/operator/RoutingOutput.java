package dev.twophase.testkit.internal.operator;

import dev.twophase.testkit.internal.operator.plan.Deployment;
import dev.twophase.testkit.internal.operator.plan.PlannedEdge;
import dev.twophase.testkit.internal.operator.task.LineOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ExceptionInChainedOperatorException;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Sends what one operator emits along its edges, at once and in the same thread, as a chain does.
 */
final class RoutingOutput implements LineOutput<Object> {

  private static final int BUFFER_BYTES = 256;

  /** An edge with its receiving end. */
  private static final class Route {
    final PlannedEdge edge;
    final RunningNode target;
    @Nullable TypeSerializer<Object> serializer;

    Route(PlannedEdge edge, RunningNode target) {
      this.edge = edge;
      this.target = target;
    }
  }

  private final List<Route> routes = new ArrayList<>();
  private final ClassLoader classLoader;

  RoutingOutput(ClassLoader classLoader) {
    this.classLoader = classLoader;
  }

  void add(PlannedEdge edge, RunningNode target) {
    routes.add(new Route(edge, target));
  }

  /** Feeds the operators at the head with a record that nobody else has, as a task does. */
  void feed(Object record) throws Exception {
    for (Route route : routes) {
      route.target.process(route.edge.input(), new StreamRecord<>(record));
    }
  }

  /** Tells the operators at the head that event time is over. */
  void feedLastWatermark() throws Exception {
    for (Route route : routes) {
      route.target.watermark(route.edge.input(), Watermark.MAX_WATERMARK);
    }
  }

  @Override
  public void collect(StreamRecord<Object> record) {
    send(null, record);
  }

  @Override
  public <X> void collect(OutputTag<X> tag, StreamRecord<X> record) {
    send(tag, record);
  }

  private void send(@Nullable OutputTag<?> tag, StreamRecord<?> record) {
    for (Route route : routes) {
      if (tag == null ? route.edge.tag() == null : tag.equals(route.edge.tag())) {
        deliver(route, record);
      }
    }
  }

  private void deliver(Route route, StreamRecord<?> record) {
    if (route.target.takesNoMore()) {
      return;
    }
    try {
      StreamRecord<Object> travelled = new StreamRecord<>(travel(route, record.getValue()));
      if (record.hasTimestamp()) {
        travelled.setTimestamp(record.getTimestamp());
      }
      route.target.process(route.edge.input(), travelled);
    } catch (Exception e) {
      throw new ExceptionInChainedOperatorException(e);
    }
  }

  private Object travel(Route route, Object value) throws IOException, ClassNotFoundException {
    TypeSerializer<Object> serializer = route.serializer;
    if (serializer == null) {
      serializer = Deployment.deserialize(route.edge.serializer(), classLoader);
      route.serializer = serializer;
    }
    if (route.edge.chained()) {
      return serializer.copy(value);
    }
    DataOutputSerializer out = new DataOutputSerializer(BUFFER_BYTES);
    serializer.serialize(value, out);
    return serializer.deserialize(new DataInputDeserializer(out.wrapAsByteBuffer()));
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    for (Route route : routes) {
      try {
        route.target.watermark(route.edge.input(), watermark);
      } catch (Exception e) {
        throw new ExceptionInChainedOperatorException(e);
      }
    }
  }

  @Override
  public void emitWatermarkStatus(WatermarkStatus status) {}

  @Override
  public void emitLatencyMarker(LatencyMarker marker) {}

  @Override
  public void emitRecordAttributes(RecordAttributes attributes) {}

  @Override
  public void close() {}
}
