package dev.twophase.file;

import dev.twophase.TransactionId;
import dev.twophase.file.internal.hadoop.HadoopStorages;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.ExactlyOnceSinkContract;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.io.FilenameUtils;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;

/** Files on a real HDFS under the kit; every call to it can fail, be cut off, or kill. */
@Tag("one-flink-line")
abstract class HdfsSinkContract extends ExactlyOnceSinkContract<String> {

  /** Time, not faults, is what a real NameNode limits. */
  @Override
  protected Bound bound() {
    return Bound.oneFault().withParallelism(1).withBudget(Duration.ofSeconds(25));
  }

  TransactionalFileSink<String> configured(SinkSetup setup) {
    Faults faults = setup.faults();
    return TransactionalFileSink.forLines(directory(setup.namespace()))
        .name(setup.sinkName())
        .options(setup.options())
        .rollAtRecords(1)
        .ioThreads(1)
        .storageFactory(
            uri ->
                FileSinkContract.faulty(
                    faults, HadoopStorages.open(uri, Map.of("dfs.replication", "1"))));
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public SinkClaims claims() {
    return SinkClaims.exactlyOnce().withOrder(OrderScope.KEY);
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    URI directory = directory(namespace);
    List<String> files = new ArrayList<>(MiniHdfs.shared().visible(directory));
    files.sort(
        Comparator.<String>comparingLong(file -> id(file).since())
            .thenComparingInt(file -> id(file).subtask())
            .thenComparingInt(FileSinkContract::part));
    List<TestRecord> records = new ArrayList<>();
    for (String file : files) {
      for (String line : MiniHdfs.shared().lines(directory, file)) {
        records.add(TestRecord.fromText(line));
      }
    }
    return records;
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws Exception {
    return Optional.of(MiniHdfs.shared().hidden(directory(namespace)));
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    MiniHdfs.shared().fileSystem().delete(new Path(directory(namespace)), true);
  }

  private static TransactionId id(String file) {
    return FileNames.transactionOfPublished(FilenameUtils.getName(file), "sut").orElseThrow();
  }

  private static URI directory(String namespace) {
    try {
      return MiniHdfs.shared().fileSystem().makeQualified(new Path("/kit/" + namespace)).toUri();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
