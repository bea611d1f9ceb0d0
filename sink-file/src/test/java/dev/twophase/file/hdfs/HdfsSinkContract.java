package dev.twophase.file.hdfs;

import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.contract.FileSinkContract;
import dev.twophase.file.contract.PublishedRecords;
import dev.twophase.file.contract.PublishedRecords.Published;
import dev.twophase.file.internal.hadoop.HadoopStorages;
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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;

/** Files on a real HDFS under the kit; every call to it can fail, be cut off, or kill. */
@Tag("one-flink-line")
public abstract class HdfsSinkContract extends ExactlyOnceSinkContract<String> {

  /** Of a client that waits as little as it can for what it has written; read once. */
  private static final Configuration CLIENT = new Configuration();

  static {
    CLIENT.set("dfs.replication", "1");
    CLIENT.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "1");
    // It doubles with each: together 16 s. With Hadoop's five, 31 ms, attempts failed by
    // themselves.
    CLIENT.set("dfs.client.block.write.locateFollowingBlock.retries", "14");
  }

  private final PublishedRecords published = new PublishedRecords();

  /**
   * A build strikes each kind of call behind a barrier or a notification at least, which takes some
   * 130 runs, about 8 a second beside another module's tests; the nightly run exhausts one fault.
   */
  @Override
  protected Bound bound() {
    Bound bound = super.bound();
    return bound.equals(Bound.oneFault())
        ? bound.withParallelism(1).withCheckpoints(1).withBudget(Duration.ofSeconds(25))
        : Bound.oneFault().withBudget(bound.budget());
  }

  /** A server with threads and a clock of its own. */
  @Override
  public boolean realServers() {
    return true;
  }

  /** Any number of sinks may write to one directory; a build has no time for them. */
  @Override
  public boolean toleratesNeighbours() {
    return !Bound.ofProfile().equals(Bound.oneFault());
  }

  /** Much of a run is waiting for the servers. */
  @Override
  public int concurrentRuns() {
    return 4;
  }

  protected TransactionalFileSink<String> configured(SinkSetup setup) {
    Faults faults = setup.faults();
    return Sinks.on(
        uri -> FileSinkContract.faulty(faults, HadoopStorages.open(uri, new Configuration(CLIENT))),
        TransactionalFileSink.forLines(directory(setup.namespace()))
            .name(setup.sinkName())
            .options(setup.options())
            .rollAtRecords(1)
            .ioThreads(1));
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
    return published.of(
        namespace,
        hdfs().visibleFiles(directory(namespace)).stream()
            .map(
                file ->
                    new Published(
                        file.getPath().getName(),
                        file.getPath() + " " + file.getLen() + " " + file.getModificationTime(),
                        () -> hdfs().lines(file.getPath())))
            .toList());
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) throws Exception {
    return Optional.of(hdfs().hidden(directory(namespace)));
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    hdfs().fileSystem().delete(new Path(directory(namespace)), true);
    published.forget(namespace);
  }

  /** Where it writes. */
  protected HdfsFiles hdfs() throws IOException {
    return MiniHdfs.shared();
  }

  private URI directory(String namespace) {
    try {
      return hdfs().fileSystem().makeQualified(new Path("/kit/" + namespace)).toUri();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
