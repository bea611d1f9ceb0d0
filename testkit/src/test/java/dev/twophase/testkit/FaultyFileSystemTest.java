package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.HandleSerializers;
import dev.twophase.TransactionId;
import dev.twophase.TransactionalConnector;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink is driven through Flink's file system, found by a path or given to it. */
class FaultyFileSystemTest {

  @TempDir(factory = MemoryDisk.class)
  java.nio.file.Path root;

  /** Part of a connector, and shipped with it. */
  private interface Decorator extends Serializable {
    FileSystem apply(FileSystem fileSystem);
  }

  /** A file per transaction, committed by its rename. */
  private static class RenamedFiles
      extends TransactionalConnector<TestRecord, FSDataOutputStream, String> {

    private static final long serialVersionUID = 1L;

    private final Path directory;
    private final Decorator decorator;
    transient FileSystem fileSystem;
    private transient String sinkName;
    private transient String current;

    RenamedFiles(Path directory, Decorator decorator) {
      this.directory = directory;
      this.decorator = decorator;
    }

    @Override
    public void open(ConnectorContext context) throws IOException {
      sinkName = context.sinkName();
      fileSystem = decorator.apply(FileSystem.get(directory.toUri()));
      fileSystem.mkdirs(directory);
    }

    Path staged(TransactionId id) {
      return new Path(directory, ".staged-" + id);
    }

    Path published(TransactionId id) {
      return new Path(directory, "published-" + id);
    }

    @Override
    public FSDataOutputStream begin(TransactionId id) throws IOException {
      current = id.toString();
      return fileSystem.create(staged(id), WriteMode.NO_OVERWRITE);
    }

    @Override
    public void write(FSDataOutputStream file, TestRecord record, WriteContext context)
        throws IOException {
      file.write((record.asText() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Optional<String> preCommit(FSDataOutputStream file) throws IOException {
      file.close();
      return Optional.of(current);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws IOException {
      if (fileSystem.exists(published(id))) {
        return CommitOutcome.alreadyCommitted();
      }
      return fileSystem.rename(staged(id), published(id))
          ? CommitOutcome.committed()
          : CommitOutcome.lost("there is no " + staged(id));
    }

    @Override
    public void abort(FSDataOutputStream file) throws IOException {
      file.close();
    }

    @Override
    public List<Unfinished> unfinished() throws IOException {
      List<Unfinished> found = new ArrayList<>();
      for (FileStatus status : fileSystem.listStatus(directory)) {
        String name = status.getPath().getName();
        if (name.startsWith(".staged-")) {
          TransactionId.parse(name.substring(".staged-".length()))
              .filter(id -> id.sinkName().equals(sinkName))
              .map(Unfinished::of)
              .ifPresent(found::add);
        }
      }
      return found;
    }

    @Override
    public void abort(Unfinished transaction) throws IOException {
      fileSystem.delete(staged(transaction.id()), false);
    }

    @Override
    public SimpleVersionedSerializer<String> handleSerializer() {
      return HandleSerializers.text();
    }
  }

  /** Takes it for lost if there is nothing to rename, whatever was renamed before. */
  private static final class RenamesAgain extends RenamedFiles {
    private static final long serialVersionUID = 1L;

    RenamesAgain(Path directory) {
      super(directory, fileSystem -> fileSystem);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws IOException {
      return fileSystem.rename(staged(id), published(id))
          ? CommitOutcome.committed()
          : CommitOutcome.lost("there is no " + staged(id));
    }
  }

  private abstract class OnFiles implements SinkUnderTest<TestRecord> {
    Path directory(String namespace) {
      return new Path(root.resolve(namespace).toUri());
    }

    @Override
    public TestRecord input(TestRecord record) {
      return record;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) throws IOException {
      java.nio.file.Path directory = root.resolve(namespace);
      if (!Files.exists(directory)) {
        return List.of();
      }
      List<TestRecord> records = new ArrayList<>();
      try (Stream<java.nio.file.Path> files = Files.list(directory)) {
        for (java.nio.file.Path file :
            files.filter(each -> each.getFileName().toString().startsWith("p")).toList()) {
          Files.readAllLines(file).stream().map(TestRecord::fromText).forEach(records::add);
        }
      }
      return records;
    }
  }

  private final class ByPath extends OnFiles {
    @Override
    public Object sink(SinkSetup setup) {
      return new RenamedFiles(
          setup.faults().aroundPath(directory(setup.namespace())), fileSystem -> fileSystem);
    }
  }

  private final class ByInstance extends OnFiles {
    @Override
    public Object sink(SinkSetup setup) {
      return new RenamedFiles(
          directory(setup.namespace()), each -> setup.faults().aroundFileSystem(each));
    }
  }

  private final class Broken extends OnFiles {
    @Override
    public Object sink(SinkSetup setup) {
      return new RenamesAgain(setup.faults().aroundPath(directory(setup.namespace())));
    }
  }

  private static final Bound ONE_CHECKPOINT =
      Bound.oneFault().withParallelism(1).withCheckpoints(1).withBudget(Duration.ofMinutes(2));

  @Test
  void everyCallOfACorrectSinkCanBeStruckAndNoneBreaksIt() {
    for (SinkUnderTest<?> sink : List.of(new ByPath(), new ByInstance())) {
      Exploration explored = SinkKit.of(sink).explore(ONE_CHECKPOINT);
      assertThat(explored.findings()).as(explored.describe()).isEmpty();
      assertThat(explored.exhausted()).as(explored.describe()).isTrue();
      assertThat(explored.firings().keySet())
          .contains(
              "FileSystem.mkdirs in up",
              "FileSystem.listStatus in bar",
              "FileSystem.create in in",
              "FSDataOutputStream.write in in",
              "FSDataOutputStream.close in bar",
              "FileSystem.exists in ntf",
              "FileSystem.rename in ntf");
    }
  }

  @Test
  void C7_aRenameWhoseReplyIsLostIsNoProofOfLoss() {
    Judgement judgement =
        SinkKit.of(new Broken())
            .replay(
                "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !FileSystem.rename#1=A; settle");
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.WEDGE);
    assertThat(judgement.rules()).first().isEqualTo("C6");
  }

  @Test
  void whatIsSeenUnderTheFaultySchemeIsTheSamePlace() throws IOException {
    Path directory = new Faults().aroundPath(new Path(root.toUri()));
    FileSystem fileSystem = FileSystem.get(directory.toUri());
    RecoverableWriter writer = fileSystem.createRecoverableWriter();
    RecoverableFsDataOutputStream out = writer.open(new Path(directory, "file"));
    out.write('x');
    out.persist();
    out.closeForCommit().commit();

    assertThat(root.resolve("file")).hasContent("x");
    FileStatus listed = fileSystem.listStatus(directory)[0];
    assertThat(listed.getPath()).isEqualTo(new Path(directory, "file"));
    assertThat(fileSystem.getFileStatus(listed.getPath()).getLen()).isEqualTo(1);
    assertThat(fileSystem.getFileBlockLocations(listed, 0, 1)).hasSize(1);
  }

  @Test
  void everyOtherFileSystemHasAFaultyPathToo() {
    Path hdfs = new Faults().aroundPath(new Path("hdfs://name.node:9000/some/dir"));
    assertThat(hdfs).hasToString("faulty://hdfs@name.node:9000/some/dir");
    assertThat(new Path(new Path("faulty://hdfs@name.node:9000/some"), "dir")).isEqualTo(hdfs);
  }
}
