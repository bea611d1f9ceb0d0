package dev.twophase.benchmarks.harness;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** Hands what one operator emits to the next, as chained operators do; nothing after the last. */
final class ChainOutput implements Output<StreamRecord<Object>> {

  private final @Nullable OneInputStreamOperator<Object, Object> next;

  ChainOutput(@Nullable OneInputStreamOperator<Object, Object> next) {
    this.next = next;
  }

  @Override
  public void collect(StreamRecord<Object> record) {
    if (next == null) {
      return;
    }
    try {
      next.processElement(record);
    } catch (Exception error) {
      throw new IllegalStateException("The next operator failed", error);
    }
  }

  @Override
  public <X> void collect(OutputTag<X> tag, StreamRecord<X> record) {
    throw new UnsupportedOperationException("No side outputs here: " + tag);
  }

  @Override
  public void emitWatermark(Watermark mark) {}

  @Override
  public void emitWatermarkStatus(WatermarkStatus status) {}

  @Override
  public void emitLatencyMarker(LatencyMarker marker) {}

  @Override
  public void emitRecordAttributes(RecordAttributes attributes) {}

  @Override
  public void emitWatermark(WatermarkEvent watermark) {}

  @Override
  public void close() {}
}
