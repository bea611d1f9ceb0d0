package dev.twophase.testkit.internal.operator;

import org.apache.flink.api.connector.sink2.Sink;

/** A sink, with those methods implemented that only one Flink line has. */
interface LineSinkV2<IN> extends Sink<IN> {}
