package dev.twophase.benchmarks.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VisibleFilesTest {

  @TempDir Path directory;

  private void write(String path, int bytes) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }

  @Test
  void hiddenFilesAndDirectoriesAreNotSeen() throws IOException {
    write("bucket/part-1", 101);
    write("part-2", 202);
    write("bucket/.part-3.inprogress", 1);
    write(".staging/part-4", 1);
    write("_manifest", 1);
    assertThat(VisibleFiles.under(directory)).isEqualTo(new VisibleFiles(2, 303));
  }

  @Test
  void workNotDoneStopsTheMeasurement() {
    new VisibleFiles(1, 303).require(3);
    assertThatThrownBy(() -> new VisibleFiles(1, 302).require(3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Expected 3 visible records");
  }
}
