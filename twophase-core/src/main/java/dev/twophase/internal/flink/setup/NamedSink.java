package dev.twophase.internal.flink.setup;

/** A twophase sink of either API, as the job graph check recognises it among its siblings. */
public interface NamedSink {

  String sinkName();
}
