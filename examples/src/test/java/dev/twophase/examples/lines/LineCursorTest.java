package dev.twophase.examples.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineCursorTest {

  private static final List<String> ALL =
      List.of("a\t1\tone", "a\t2\t", "a\t3\tthree", "c%C3%A9\t1\t\u00c3\u00a9\r", "d/x\t1\tlast");

  @TempDir private Path directory;

  private LineIndex index;

  @BeforeEach
  void someFiles() throws IOException {
    Files.writeString(directory.resolve("a"), "one\n\nthree");
    Files.writeString(directory.resolve("b-empty"), "");
    Files.writeString(directory.resolve("cé"), "é\r\n");
    Files.createDirectory(directory.resolve("d"));
    Files.writeString(directory.resolve("d/x"), "last\n");
    index = LineIndex.of(directory);
  }

  private List<String> from(long position) throws IOException {
    List<String> records = new ArrayList<>();
    try (LineCursor cursor = new LineCursor(index, position)) {
      while (cursor.hasNext()) {
        assertThat(cursor.position()).isEqualTo(position + records.size());
        records.add(cursor.next());
      }
    }
    return records;
  }

  @Test
  void readsEveryByteOfEveryLine() throws IOException {
    assertThat(from(0)).isEqualTo(ALL);
  }

  @Test
  void goesOnExactlyFromEveryPosition() throws IOException {
    for (int position = 0; position <= ALL.size(); position++) {
      assertThat(from(position)).isEqualTo(ALL.subList(position, ALL.size()));
    }
  }

  @Test
  void followsSymbolicLinks() throws IOException {
    Files.createSymbolicLink(directory.resolve("e"), directory.resolve("d/x"));
    index = LineIndex.of(directory);
    assertThat(from(5)).containsExactly("e\t1\tlast");
  }

  @Test
  void fileThatBecomesShorterIsAnErrorAndNotAShorterInput() throws IOException {
    Files.writeString(directory.resolve("a"), "one\n");
    assertThatThrownBy(() -> from(0))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("has become shorter");
  }
}
