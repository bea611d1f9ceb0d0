package dev.twophase.file.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publication with hard links and without. */
class LocalMoveTest {

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
