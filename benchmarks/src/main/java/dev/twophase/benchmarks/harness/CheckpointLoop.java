package dev.twophase.benchmarks.harness;

import dev.twophase.benchmarks.job.Records;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * A sink without a job: records, and a checkpoint that publishes them, over and over. Checkpoints
 * come after a number of records and not after a time, so that all sides do the same work.
 *
 * @param checkpoints how many there were
 * @param records how many they covered
 * @param nanos how long it all took
 */
public record CheckpointLoop(long checkpoints, long records, long nanos) {

  /** Goes on until so much time has passed. */
  public static CheckpointLoop run(
      Sink<String> sink, String[] texts, long recordsPerCheckpoint, long leastNanos)
      throws Exception {
    long checkpoint = 0;
    long nanos;
    try (SinkChain chain = SinkChain.open(stream -> stream.sinkTo(sink).uid("sink"))) {
      long start = System.nanoTime();
      do {
        for (long number = 0; number < recordsPerCheckpoint; number++) {
          chain.write(Records.pick(texts, number));
        }
        chain.prepare(++checkpoint);
        chain.complete(checkpoint);
        nanos = System.nanoTime() - start;
      } while (nanos < leastNanos);
    }
    return new CheckpointLoop(checkpoint, checkpoint * recordsPerCheckpoint, nanos);
  }

  /** Records in a second. */
  public double rate() {
    return records * 1e9 / nanos;
  }
}
