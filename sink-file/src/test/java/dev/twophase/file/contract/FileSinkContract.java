package dev.twophase.file.contract;

import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.contract.PublishedRecords.Published;
import dev.twophase.file.internal.storage.LocalStorage;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.ExactlyOnceSinkContract;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.MemoryDisk;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.commons.io.FileUtils;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.junit.jupiter.api.io.TempDir;

/** Files in buckets under the kit; every call to the file system can fail, be cut off, or kill. */
public abstract class FileSinkContract extends ExactlyOnceSinkContract<String> {

  @TempDir(factory = MemoryDisk.class)
  protected Path root;

  protected final PublishedRecords published = new PublishedRecords();

  /** A bucket per key, and two files in it where a transaction has two records of the key. */
  protected TransactionalFileSink<String> configured(SinkSetup setup) {
    Faults faults = setup.faults();
    return Sinks.on(
        uri -> faulty(faults, new LocalStorage(Path.of(uri))),
        TransactionalFileSink.forLines(root.resolve(setup.namespace()))
            .name(setup.sinkName())
            .options(setup.options())
            .bucketAssigner(new ByKey())
            .rollAtRecords(1)
            .ioThreads(1));
  }

  private static final class ByKey extends BasePathBucketAssigner<String> {

    @Override
    public String getBucketId(String line, BucketAssigner.Context context) {
      return "key-" + TestRecord.fromText(line).key();
    }
  }

  @Override
  public String input(TestRecord record) {
    return record.asText();
  }

  @Override
  public SinkClaims claims() {
    return SinkClaims.exactlyOnce().withOrder(OrderScope.KEY);
  }

  /** The nightly run has the time to exhaust one fault, and fails if it does not. */
  static Bound exhausting(Bound bound) {
    return bound.equals(Bound.oneFault()) ? bound : bound.withRequired(1);
  }

  /**
   * One checkpoint in an ordinary build: {@link SinkV2ContractTest} has two, and what differs where
   * this is used is how the sink is called, not what it does then. The nightly run has two
   * everywhere.
   */
  static Bound shorter(Bound bound) {
    return bound.equals(Bound.oneFault()) ? bound.withCheckpoints(1) : bound;
  }

  /**
   * Any number of sinks may write to one directory. Whose file is whose is the connector's own
   * matter, so that in an ordinary build {@link ConnectorContractTest} alone has neighbours.
   */
  @Override
  public boolean toleratesNeighbours() {
    return !Bound.ofProfile().equals(Bound.oneFault());
  }

  /** Each run has a directory of its own. */
  @Override
  public int concurrentRuns() {
    return Integer.MAX_VALUE;
  }

  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    Path directory = root.resolve(namespace);
    List<Published> files = new ArrayList<>();
    if (Files.exists(directory)) {
      Sinks.forEachVisible(
          directory,
          (file, attributes) ->
              files.add(
                  new Published(
                      file.getFileName().toString(),
                      file + " " + attributes.fileKey() + " " + attributes.lastModifiedTime(),
                      () -> Files.readAllLines(file))));
    }
    return published.of(namespace, files);
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) {
    Path directory = root.resolve(namespace);
    return Optional.of(Files.exists(directory) ? Sinks.hidden(directory) : List.of());
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    published.forget(namespace);
    FileUtils.deleteDirectory(root.resolve(namespace).toFile());
  }

  /** All that touches the disk passes the kit; names are only names. */
  public static Storage faulty(Faults faults, Storage real) {
    Storage decorated = faults.around(Storage.class, real);
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              boolean pure = List.of("base", "fullName", "startsSlowly").contains(method.getName());
              try {
                Object result = method.invoke(pure ? real : decorated, arguments);
                return result instanceof StagedOutput output
                    ? faults.around(StagedOutput.class, output)
                    : result;
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }
}
