package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.SetupRefusedException;
import dev.twophase.testkit.MemoryDisk;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that are full, read-only, or otherwise say no. */
class DiskErrorsTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"create", "write", "sync", "syncDirectory"})
  void W3_aFullDiskFailsPreCommitAndSaysWhatToDo(String call) throws Exception {
    boolean[] full = {false};
    ScriptedStorage.Script script =
        found -> {
          if (full[0] && (found + " ").contains(call + " ")) {
            fill();
          }
        };
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(script), "orders")) {
      full[0] = true;
      assertThatThrownBy(() -> writer.prepare(1, "1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device")
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("Free space or raise the quota");
    }
    assertThat(Sinks.visible(directory)).isEmpty();
  }

  /** The kernel's own error, for root and for everybody else. */
  private static void fill() throws IOException {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      full.write(1);
    }
  }

  /** A name may need a block of its directory, and so may a mark. */
  @ParameterizedTest
  @ValueSource(strings = {"makeDirectories", "publish", "syncDirectory"})
  void C7_aDiskThatIsFullAtTheCommitLosesNothingAndTheNextTryPublishes(String call)
      throws Exception {
    boolean[] full = {false};
    ScriptedStorage.Script script =
        found -> {
          if (full[0] && found.startsWith(call)) {
            fill();
          }
        };
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(script), "orders")) {
      Prepared prepared = writer.prepare(1, "1");
      full[0] = true;
      assertThatThrownBy(() -> writer.commit(prepared))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("Free space or raise the quota");
      assertThat(Sinks.hidden(directory)).as("the staged name").hasSize(1);

      full[0] = false;
      assertThat(writer.commit(prepared))
          .isIn(CommitOutcome.committed(), CommitOutcome.alreadyCommitted());
    }
    assertThat(Sinks.lines(directory)).containsExactly("1");
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  @Test
  void C7_aDirectoryThatBecomesReadOnlyLeavesTheOutcomeUnknownAndEverythingInPlace()
      throws Exception {
    boolean[] readOnly = {true};
    ScriptedStorage.Script script =
        call -> {
          if (readOnly[0] && call.startsWith("publish")) {
            throw new AccessDeniedException(directory + "/" + call.split(" ")[2]);
          }
        };
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(script), "orders")) {
      Prepared prepared = writer.prepare(1, "1");
      assertThatThrownBy(() -> writer.commit(prepared))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot publish " + directory)
          .hasMessageContaining("write permission");
      assertThat(Sinks.hidden(directory)).hasSize(1);

      readOnly[0] = false;
      assertThat(writer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
  }

  @Test
  void E3_aDirectoryThatCannotBeMadeIsRefusedAtTheStart() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "in the way");
    TransactionalConnector<String, ?, ?> connector =
        TransactionalFileSink.forLines(file.resolve("out")).name("orders").buildConnector();

    assertThatThrownBy(() -> Sinks.writer(connector, "orders"))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("Cannot make " + file.resolve("out"));
  }

  @Test
  void E3_aReadOnlyDirectoryIsRefusedNamingSettingValueAndRemedy() throws Exception {
    ScriptedStorage.Script script =
        call -> {
          if (call.startsWith("probe")) {
            throw new FileSystemException(directory.toString(), null, "Read-only file system");
          }
        };
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(script), "orders")) {
      assertThatThrownBy(() -> writer.preflight())
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining("Sink 'orders' refused to start: directory is file://" + directory)
          .hasMessageContaining("mount the file system read-write");
    }
  }

  /** Nothing is scripted here: what the real file system says to the first thing that is done. */
  @ParameterizedTest
  @ValueSource(strings = {"taken", "taken/below", "dangling"})
  void E3_aBaseThatIsNoDirectoryIsRefusedWhenTheSinkOpens(String base) throws Exception {
    Files.writeString(directory.resolve("taken"), "x");
    Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nowhere"));
    Path unusable = directory.resolve(base);
    TransactionalConnector<String, ?, ?> connector =
        TransactionalFileSink.forLines(unusable).name("orders").buildConnector();
    assertThatThrownBy(() -> Sinks.writer(connector, "orders"))
        .isInstanceOf(SetupRefusedException.class)
        .hasMessageContaining("Sink 'orders' refused to start: directory is ")
        .hasMessageContaining(unusable.toString())
        .hasMessageContaining("move it away or choose another");
  }

  @Test
  void E3_stagedFilesOnAnotherFileSystemThanTheDirectoryAreRefusedAtTheStartNamingBoth(
      @TempDir(factory = MemoryDisk.class) Path elsewhere) throws Exception {
    assumeThat(Files.getAttribute(elsewhere, "unix:dev"))
        .isNotEqualTo(Files.getAttribute(directory, "unix:dev"));
    Files.createSymbolicLink(directory.resolve(".twophase"), elsewhere);
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(call -> {}), "orders")) {
      assertThatThrownBy(() -> writer.preflight())
          .isInstanceOf(SetupRefusedException.class)
          .hasMessageContaining(directory + "/.twophase/orders: on another file system than ")
          .hasMessageContaining(" than " + directory + " (a mount point or a symbolic link)")
          .hasMessageContaining(
              "Let the sink's directory, the .twophase in it and all its buckets");
    }
  }

  /** As with a bind mount of the same disk, which looks like one file system. */
  @Test
  void C7_aBorderThatOnlyTheMoveFindsLeavesEverythingInPlaceAndSaysWhatToDo(
      @TempDir(factory = MemoryDisk.class) Path elsewhere) throws Exception {
    assumeThat(Files.getAttribute(elsewhere, "unix:dev"))
        .isNotEqualTo(Files.getAttribute(directory, "unix:dev"));
    Path file = Files.createFile(elsewhere.resolve("file"));
    boolean[] mounted = {true};
    ScriptedStorage.Script script =
        call -> {
          if (mounted[0] && call.startsWith("publish")) {
            // The kernel's own error.
            Files.createLink(directory.resolve("link"), file);
          }
        };
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(script), "orders")) {
      Prepared prepared = writer.prepare(1, "1");
      assertThatThrownBy(() -> writer.commit(prepared))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Invalid cross-device link")
          .hasMessageContaining("Nothing is lost")
          .hasMessageContaining("without a mount point or a symbolic link between them");
      mounted[0] = false;
      assertThat(writer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    }
  }

  @Test
  void E3_aFullDiskAtTheStartIsNoRefusalForARestartMayFindRoom() throws Exception {
    ScriptedStorage.Script script =
        call -> {
          if (call.startsWith("probe")) {
            throw new FileSystemException(directory.toString(), null, "No space left on device");
          }
        };
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(script), "orders")) {
      assertThatThrownBy(() -> writer.preflight())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Free space or raise the quota");
    }
  }

  @Test
  void E3_preflightLeavesNothingBehind() throws Exception {
    try (DrivenConnector<String, ?, ?> writer = Sinks.writer(connector(call -> {}), "orders")) {
      writer.preflight();
    }
    assertThat(Sinks.hidden(directory)).isEmpty();
    assertThat(Sinks.visible(directory)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:data/orders",
        "file://host/data",
        "file:/data?x",
        "file:/data#x",
        "hdfs:data",
        "hdfs://namenode:8020",
        "data"
      })
  void E3_aUriThatIsNoDirectoryIsRefusedWhereTheJobIsBuilt(String directory) {
    assertThatThrownBy(() -> TransactionalFileSink.forLines(java.net.URI.create(directory)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("directory is " + directory)
        .hasMessageMatching(".*(: use|: write) .*");
  }

  @Test
  void aSchemeMayBeWrittenInCapitals() throws Exception {
    java.net.URI capitals = java.net.URI.create("FILE:" + directory.toUri().getPath());
    try (DrivenConnector<String, ?, ?> writer =
        Sinks.writer(
            TransactionalFileSink.forLines(capitals).name("orders").buildConnector(), "orders")) {
      writer.commit(writer.prepare(1, "1"));
    }
    assertThat(Sinks.lines(directory)).containsExactly("1");
  }

  @Test
  void aSchemeThatIsNotSupportedIsRefusedByName() {
    assertThatThrownBy(
            () ->
                TransactionalFileSink.forRows(
                    java.net.URI.create("s3://bucket/dir"), new LineEncoder<>()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("directory is s3://bucket/dir");
  }

  private TransactionalConnector<String, ?, ?> connector(ScriptedStorage.Script script) {
    return TransactionalFileSink.forLines(directory)
        .name("orders")
        .storageFactory(ScriptedStorage.following(script))
        .buildConnector();
  }
}
