package dev.twophase.examples.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recount sees every way in which an output can differ from the input. */
class RecountTest {

  private static final String GOOD = "a.txt\t1\tone\na.txt\t2\ttwo\nb%20b/c.txt\t1\tthree\n";

  @TempDir private Path directory;

  private Path input;
  private Path output;

  @BeforeEach
  void threeLines() throws IOException {
    input = directory.resolve("in");
    output = directory.resolve("out");
    write(input.resolve("a.txt"), "one\ntwo");
    write(input.resolve("b b/c.txt"), "three\n");
    write(input.resolve("empty"), "");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private RecountResult recount() throws Exception {
    return RecountResult.of(input, output, 3, directory.resolve("errors"));
  }

  @Test
  void exactCopyIsExactWhateverTheOrderAndTheFiles() throws Exception {
    write(output.resolve("x/2"), "b%20b/c.txt\t1\tthree\na.txt\t2\ttwo\n");
    write(output.resolve("1"), "a.txt\t1\tone\n");
    write(output.resolve(".hidden/3"), "a.txt\t1\tone\n");
    RecountResult found = recount();
    assertThat(found.exact()).isTrue();
    assertThat(found.input()).isEqualTo(new RecountResult.Side(3, 3, found.output().digest()));
    assertThat(found.output().files()).isEqualTo(2);
  }

  @Test
  void missingLineIsLost() throws Exception {
    write(output.resolve("1"), GOOD.replace("a.txt\t2\ttwo\n", ""));
    RecountResult found = recount();
    assertThat(found.exact()).isFalse();
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.stretches().get(1)).isEqualTo(new RecountResult.Difference(1, 0, ""));
    assertThat(found.files()).containsExactly(new RecountResult.Difference(1, 0, "a.txt"));
  }

  @Test
  void repeatedLineIsDuplicatedOncePerRepetition() throws Exception {
    write(output.resolve("1"), GOOD + GOOD + "a.txt\t1\tone\n");
    RecountResult found = recount();
    assertThat(found.exact()).isFalse();
    assertThat(found.duplicated()).isEqualTo(4);
    assertThat(found.stretches().get(0)).isEqualTo(new RecountResult.Difference(0, 2, ""));
  }

  @Test
  void lossThatADuplicateMakesUpForIsSeen() throws Exception {
    write(output.resolve("1"), GOOD.replace("a.txt\t2\ttwo", "a.txt\t1\tone"));
    RecountResult found = recount();
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.duplicated()).isEqualTo(1);
  }

  @Test
  void whatWasNeverInTheInputIsForeign() throws Exception {
    write(
        output.resolve("1"),
        GOOD + "a.txt\t3\tthree\nz.txt\t1\tone\na.txt\t1\tonee\nnonsense\na.txt\t0\tone\n");
    RecountResult found = recount();
    assertThat(found.foreign()).isEqualTo(5);
    assertThat(found.lost()).isZero();
    assertThat(found.exact()).isFalse();
  }

  @Test
  void usesClassesOfTheJdkOnly() {
    classes()
        .that()
        .haveNameMatching(".*\\.Recount(\\$.*)?")
        .should()
        .onlyDependOnClassesThat()
        .haveNameMatching("java\\..*|.*\\.Recount(\\$.*)?|\\[.*|byte|int|long|boolean|void|char")
        .check(new ClassFileImporter().importClasses(Recount.class));
  }
}
