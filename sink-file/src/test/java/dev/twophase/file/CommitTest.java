package dev.twophase.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionalConnector;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a commit makes of everything it can find on disk. */
class CommitTest {

  @TempDir Path directory;
  private TransactionalConnector<String, ?, ?> connector;
  private DrivenConnector<String, ?, ?> writer;
  private DrivenConnector<String, ?, ?> committer;

  @BeforeEach
  void open() throws Exception {
    connector =
        TransactionalFileSink.forLines(directory)
            .name("orders")
            .bucketAssigner(new Sinks.BeforeColon())
            .suffix(".txt")
            .buildConnector();
    writer = Sinks.writer(connector, "orders");
    committer = Sinks.committer(connector, "orders");
  }

  @AfterEach
  void close() throws Exception {
    writer.close();
    committer.close();
  }

  @Test
  void W2_anotherProcessCommitsHoldingNothingButTheHandle() throws Exception {
    Prepared prepared = writer.prepare(1, "a:1", "b:2", "a:3");
    writer.close();
    assertThat(Sinks.visible(directory)).isEmpty();

    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());

    assertThat(Sinks.lines(directory)).containsExactly("a:1", "a:3", "b:2");
    assertThat(Sinks.visible(directory)).hasSize(2);
    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  @Test
  void C2_committingTwiceIsOneCommit() throws Exception {
    Prepared prepared = writer.prepare(1, "a:1", "b:2");
    committer.commit(prepared);

    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());

    assertThat(Sinks.lines(directory)).containsExactly("a:1", "b:2");
  }

  @Test
  void C2_aCommitThatStoppedBetweenLinkAndUnlinkIsFinished() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Path staged = onlyHidden();
    Path kept = Files.createLink(directory.resolve("kept"), staged);
    committer.commit(prepared);
    Files.createLink(staged, kept);
    Files.delete(kept);

    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());

    assertThat(Sinks.hidden(directory)).isEmpty();
    assertThat(Sinks.lines(directory)).containsExactly("1");
  }

  @Test
  void C2_aCommitThatStoppedHalfwayThroughItsFilesIsFinished() throws Exception {
    Prepared prepared = writer.prepare(1, "a:1", "b:2");
    Path first = onlyHiddenEndingWith(".0");
    Path copy = Files.copy(first, directory.resolve(".copy"));
    Files.move(onlyHiddenEndingWith(".1"), directory.resolve(".second"));
    // The second file's loss is found before the first is moved, and the first is moved all the
    // same.
    assertThat(committer.commit(prepared)).isInstanceOf(CommitOutcome.Lost.class);
    Files.delete(copy);
    Files.move(
        directory.resolve(".second"),
        first.resolveSibling(first.getFileName().toString().replaceFirst("0$", "1")));

    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());

    assertThat(Sinks.lines(directory)).containsExactly("a:1", "b:2");
  }

  @Test
  void C6_aForeignTargetOfAnotherLengthIsRefusedAndKept() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Files.writeString(target(prepared, 0), "somebody else's");

    assertThatThrownBy(() -> committer.commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining(target(prepared, 0).toString())
        .hasMessageContaining("foreign file of 15 bytes instead of 2")
        .hasMessageContaining("move it away");

    assertThat(target(prepared, 0)).hasContent("somebody else's");
    assertThat(Sinks.hidden(directory)).hasSize(1);
  }

  @Test
  void C6_aForeignTargetOfTheSameLengthIsToldByItsChecksum() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Files.writeString(target(prepared, 0), "2\n");

    assertThatThrownBy(() -> committer.commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("another checksum");

    assertThat(target(prepared, 0)).hasContent("2\n");
  }

  @Test
  void C6_aCopyMadeByAnotherMoverCountsAsPublished() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Files.copy(onlyHidden(), target(prepared, 0));

    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.alreadyCommitted());

    assertThat(Sinks.hidden(directory)).isEmpty();
  }

  @Test
  void C6_aTargetThatIsADirectoryIsRefusedAndNothingIsRemoved() throws Exception {
    Prepared prepared = writer.prepare(1, "1", "b:2");
    Files.createDirectory(target(prepared, 0));

    assertThatThrownBy(() -> committer.commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("1 of 2 files cannot be published")
        .hasMessageContaining("is taken by a directory. Move it away");

    assertThat(Sinks.hidden(directory)).hasSize(2);
    Files.delete(target(prepared, 0));
    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());
    assertThat(Sinks.lines(directory)).containsExactly("1", "b:2");
  }

  @Test
  void C6_aTargetThatIsASymbolicLinkIsRefused() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Files.createSymbolicLink(target(prepared, 0), onlyHidden());

    assertThatThrownBy(() -> committer.commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("neither a file nor a directory");
  }

  @Test
  void C6_aMissingStagedFileIsLostAndNamed() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Path staged = onlyHidden();
    Files.delete(staged);

    CommitOutcome outcome = committer.commit(prepared);

    assertThat(outcome).isInstanceOf(CommitOutcome.Lost.class);
    assertThat(((CommitOutcome.Lost) outcome).evidence())
        .contains("1 of 1 files lost", staged.toString(), "is missing");
    assertThat(Sinks.visible(directory)).isEmpty();
  }

  @Test
  void C6_aStagedFileShorterThanRecordedIsLostAndStaysHidden() throws Exception {
    Prepared prepared = writer.prepare(1, "one", "two");
    Files.writeString(onlyHidden(), "one");

    CommitOutcome outcome = committer.commit(prepared);

    assertThat(((CommitOutcome.Lost) outcome).evidence()).contains("only 3 of the 8 bytes");
    assertThat(Sinks.visible(directory)).isEmpty();
  }

  @Test
  void C6_aStagedFileLongerThanRecordedIsRefused() throws Exception {
    Prepared prepared = writer.prepare(1, "one");
    Files.writeString(onlyHidden(), "one\ntwo\n");

    assertThatThrownBy(() -> committer.commit(prepared))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("has grown from 4 to 8 bytes");
    assertThat(Sinks.visible(directory)).isEmpty();
  }

  @Test
  void C9_whatIsNotLostOfATransactionIsPublished() throws Exception {
    Prepared prepared = writer.prepare(1, "a:1", "b:2");
    Files.delete(onlyHiddenEndingWith(".0"));

    CommitOutcome outcome = committer.commit(prepared);

    assertThat(((CommitOutcome.Lost) outcome).evidence()).contains("1 of 2 files lost");
    assertThat(Sinks.lines(directory)).containsExactly("b:2");
  }

  @Test
  void C2_aBucketRemovedMeanwhileIsMadeAgain() throws Exception {
    Prepared prepared = writer.prepare(1, "a/b:1");
    Files.delete(directory.resolve("a/b"));
    Files.delete(directory.resolve("a"));

    assertThat(committer.commit(prepared)).isEqualTo(CommitOutcome.committed());

    assertThat(Sinks.lines(directory)).containsExactly("a/b:1");
  }

  @Test
  void C6_aHandleOfAnotherDirectoryIsRefusedRatherThanCalledLost() throws Exception {
    Prepared prepared = writer.prepare(1, "1");
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    try (DrivenConnector<String, ?, ?> moved =
        Sinks.committer(
            TransactionalFileSink.forLines(elsewhere).name("orders").buildConnector(), "orders")) {
      assertThatThrownBy(() -> moved.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("Start the job with the old directory")
          .hasMessageContaining("give the sink another uid");
    }
  }

  private Path target(Prepared prepared, int part) {
    return directory.resolve("part." + prepared.id() + "." + part + ".txt");
  }

  private Path onlyHidden() {
    assertThat(Sinks.hidden(directory)).hasSize(1);
    return directory.resolve(Sinks.hidden(directory).get(0));
  }

  private Path onlyHiddenEndingWith(String end) {
    return directory.resolve(
        Sinks.hidden(directory).stream()
            .filter(path -> path.toString().endsWith(end))
            .findFirst()
            .orElseThrow());
  }
}
