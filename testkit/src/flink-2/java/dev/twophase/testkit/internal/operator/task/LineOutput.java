package dev.twophase.testkit.internal.operator.task;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** An operator's output, with those methods implemented that only one Flink line has. */
public interface LineOutput<T> extends Output<StreamRecord<T>> {

  @Override
  default void emitWatermark(WatermarkEvent watermark) {}
}
