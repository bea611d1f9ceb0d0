package dev.twophase.examples.lines;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Every line of every file below a directory, once: the record is file, tab, line number, tab,
 * text. Replays exactly from a checkpoint as long as the files do not change. Run it with
 * parallelism 1.
 */
public final class LineSource implements Source<String, LineSplit, Boolean> {

  private static final long serialVersionUID = 1L;

  private final String directory;
  private final Pace.Lookup pace;

  public LineSource(Path directory, Pace.Lookup pace) {
    this.directory = directory.toString();
    this.pace = pace;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SplitEnumerator<LineSplit, Boolean> createEnumerator(
      SplitEnumeratorContext<LineSplit> context) {
    return new LineEnumerator(context, new LineSplit(0));
  }

  @Override
  public SplitEnumerator<LineSplit, Boolean> restoreEnumerator(
      SplitEnumeratorContext<LineSplit> context, Boolean assigned) {
    @Nullable LineSplit waiting = assigned ? null : new LineSplit(0);
    return new LineEnumerator(context, waiting);
  }

  @Override
  public SourceReader<String, LineSplit> createReader(SourceReaderContext context)
      throws IOException {
    return new LineReader(context, LineIndex.of(Path.of(directory)), pace.get());
  }

  @Override
  public SimpleVersionedSerializer<LineSplit> getSplitSerializer() {
    return new LineSplit.Serializer();
  }

  @Override
  public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
    return new LineEnumerator.StateSerializer();
  }
}
