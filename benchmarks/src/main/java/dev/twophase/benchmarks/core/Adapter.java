package dev.twophase.benchmarks.core;

import dev.twophase.flink.TransactionalSink;
import dev.twophase.flink.TransactionalSinkFunction;
import org.apache.flink.streaming.api.datastream.DataStream;

/** What may stand between Flink and an empty sink. */
public enum Adapter {
  SINK_V2("Sink V2 adapter", true) {
    @Override
    void attach(DataStream<String> stream) {
      stream.sinkTo(TransactionalSink.of("benchmark", new EmptyConnector())).uid("sink");
    }
  },
  FUNCTION("function adapter", true) {
    @Override
    void attach(DataStream<String> stream) {
      TransactionalSinkFunction.addTo(
          stream, "sink", TransactionalSinkFunction.of("benchmark", new EmptyConnector()));
    }
  },
  HARDENED("hardened drop-in function", true) {
    @Override
    void attach(DataStream<String> stream) {
      stream.addSink(new EmptyHardenedFunction()).uid("sink");
    }
  },
  FLINK_FUNCTION("Flink's TwoPhaseCommitSinkFunction", false) {
    @Override
    void attach(DataStream<String> stream) {
      stream.addSink(new EmptyFlinkFunction()).uid("sink");
    }
  };

  private final String label;
  private final boolean ours;

  Adapter(String label, boolean ours) {
    this.label = label;
    this.ours = ours;
  }

  boolean isOurs() {
    return ours;
  }

  String label() {
    return label;
  }

  abstract void attach(DataStream<String> stream);
}
