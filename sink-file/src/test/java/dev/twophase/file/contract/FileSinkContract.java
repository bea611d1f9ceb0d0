package dev.twophase.file.contract;

import dev.twophase.TransactionId;
import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.internal.publish.FileNames;
import dev.twophase.file.internal.storage.LocalStorage;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
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
import java.util.Comparator;
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

  /**
   * In the order of the names' checkpoints and parts, which is the order of the records of a key.
   */
  @Override
  public List<TestRecord> readVisible(String namespace) throws Exception {
    Path directory = root.resolve(namespace);
    List<Path> files =
        new ArrayList<>(Files.exists(directory) ? Sinks.visible(directory) : List.of());
    files.sort(
        Comparator.<Path>comparingLong(file -> id(file).since())
            .thenComparingInt(file -> id(file).subtask())
            .thenComparingInt(FileSinkContract::part));
    List<TestRecord> records = new ArrayList<>();
    for (Path file : files) {
      for (String line : Files.readAllLines(directory.resolve(file))) {
        records.add(TestRecord.fromText(line));
      }
    }
    return records;
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) {
    Path directory = root.resolve(namespace);
    return Optional.of(Files.exists(directory) ? Sinks.hidden(directory) : List.of());
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    FileUtils.deleteDirectory(root.resolve(namespace).toFile());
  }

  protected static TransactionId id(Path file) {
    return FileNames.transactionOfPublished(file.getFileName().toString(), "sut").orElseThrow();
  }

  private static int part(Path file) {
    return part(file.toString());
  }

  public static int part(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
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
