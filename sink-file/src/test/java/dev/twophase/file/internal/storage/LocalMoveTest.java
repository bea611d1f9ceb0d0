package dev.twophase.file.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publication with hard links and without. */
class LocalMoveTest {

  private static final int RACES = 500;

  @TempDir Path directory;
  private Path staged;
  private Path target;

  @BeforeEach
  void stage() throws Exception {
    staged = Files.writeString(directory.resolve(".staged"), "ours");
    target = directory.resolve("target");
  }

  @Test
  void aTakenNameIsNeverOverwritten() throws Exception {
    Files.writeString(target, "theirs");

    assertThatThrownBy(() -> withLinks().publish(staged, target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> withoutLinks().publish(staged, target))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(target).hasContent("theirs");
    assertThat(staged).hasContent("ours");
  }

  @Test
  void aMissingFileIsReportedAsSuchEitherWay() throws Exception {
    Files.delete(staged);

    assertThatThrownBy(() -> withLinks().publish(staged, target))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> withoutLinks().publish(staged, target))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void withoutHardLinksTheFileIsRenamed() throws Exception {
    LocalMove move = withoutLinks();

    move.publish(staged, target);

    assertThat(target).hasContent("ours");
    assertThat(directory).isDirectoryContaining(target::equals);
    assertThat(staged).doesNotExist();
    assertThat(directory.toFile().list()).containsExactly("target");
  }

  @Test
  void aRefusalOfOneFileIsNotTakenForALackOfHardLinks() {
    LocalMove move =
        new LocalMove(
            (link, existing) -> {
              if (existing.equals(staged)) {
                throw new FileSystemException(
                    link.toString(), existing.toString(), "Operation not permitted");
              }
              return Files.createLink(link, existing);
            });

    assertThatThrownBy(() -> move.publish(staged, target))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not permitted");
    assertThat(target).doesNotExist();
    assertThat(directory.toFile().list()).containsExactly(".staged");
  }

  /** As a task and its successor on another machine could meet. */
  @Test
  void ofTwoMoversWithoutHardLinksOneSucceedsEveryTime() throws Exception {
    ExecutorService movers = Executors.newFixedThreadPool(2);
    CyclicBarrier start = new CyclicBarrier(2);
    LocalMove one = withoutLinks();
    LocalMove other = withoutLinks();
    try {
      for (int race = 0; race < RACES; race++) {
        Path file = Files.writeString(directory.resolve(".race" + race), "ours");
        Path visible = directory.resolve("race" + race);
        Future<Boolean> first = movers.submit(() -> moves(start, one, file, visible));
        Future<Boolean> second = movers.submit(() -> moves(start, other, file, visible));
        assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder(true, false);
        assertThat(visible).hasContent("ours");
        assertThat(file).doesNotExist();
      }
    } finally {
      movers.shutdownNow();
    }
  }

  /** Whether it was this one that moved the file; the other is told in a way that it may be. */
  private static boolean moves(CyclicBarrier start, LocalMove move, Path file, Path visible)
      throws Exception {
    start.await();
    try {
      move.publish(file, visible);
      return true;
    } catch (NoSuchFileException | FileAlreadyExistsException faster) {
      return false;
    }
  }

  private static LocalMove withLinks() {
    return new LocalMove(Files::createLink);
  }

  private static LocalMove withoutLinks() {
    return new LocalMove(
        (link, existing) -> {
          throw new UnsupportedOperationException("no links");
        });
  }
}
