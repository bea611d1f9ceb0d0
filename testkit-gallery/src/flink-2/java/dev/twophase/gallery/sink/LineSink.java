package dev.twophase.gallery.sink;

import org.apache.flink.api.connector.sink2.Sink;

/** What differs between Flink lines in Sink V2; the other line has a twin of this file. */
interface LineSink<IN> extends Sink<IN> {}
