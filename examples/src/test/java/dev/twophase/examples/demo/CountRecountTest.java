package dev.twophase.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recount of counts sees every way in which they can be wrong. */
class CountRecountTest {

  private static final String FIRST = "0\ta\t7\t7\n";
  private static final String REST = "0\tb%20c\t3\t6\n1\t.\t2\t4\n1\tb%20c\t3\t6\n";

  @TempDir private Path directory;

  private Path input;
  private Path output;

  @BeforeEach
  void fifteenLines() throws IOException {
    input = directory.resolve("in");
    output = directory.resolve("out");
    write(input.resolve("a/1"), "x\n".repeat(7));
    write(input.resolve("b c/2"), "xy\n".repeat(6));
    write(input.resolve("top"), "zz\n".repeat(2));
  }

  @Test
  void allCountsOnceAreExact() throws Exception {
    RecountResult found = recount(REST, FIRST);
    assertThat(found.exact()).isTrue();
    assertThat(found.input().records()).isEqualTo(4);
    assertThat(found.output().files()).isEqualTo(2);
  }

  @Test
  void missingCountIsLostWhereItsWindowBegins() throws Exception {
    RecountResult found = recount(REST);
    assertThat(found.exact()).isFalse();
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.stretches().get(0).lost()).isEqualTo(1);
  }

  @Test
  void repeatedCountIsDuplicated() throws Exception {
    RecountResult found = recount(FIRST, FIRST, REST, FIRST);
    assertThat(found.exact()).isFalse();
    assertThat(found.duplicated()).isEqualTo(2);
    assertThat(found.stretches().get(0).duplicated()).isEqualTo(2);
  }

  @Test
  void wrongCountIsForeignAndTheRightOneLost() throws Exception {
    RecountResult found = recount(FIRST.replace("7", "6"), REST);
    assertThat(found.exact()).isFalse();
    assertThat(found.foreign()).isEqualTo(1);
    assertThat(found.lost()).isEqualTo(1);
  }

  private RecountResult recount(String... files) throws Exception {
    for (int i : IntStream.range(0, files.length).toArray()) {
      write(output.resolve("partition-" + i), List.of(files).get(i));
    }
    return RecountResult.ofCounts(input, output, 3, directory.resolve("errors"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
