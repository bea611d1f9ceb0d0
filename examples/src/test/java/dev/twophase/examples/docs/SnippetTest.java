package dev.twophase.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Java code in the documentation is quoted from sources that are compiled and tested. Above each
 * block stands {@code <!-- snippet: FILE TAG -->}, and the block equals what stands in that file
 * between {@code // tag::TAG[]} and {@code // end::TAG[]}, less its indentation.
 */
class SnippetTest {

  private static final Pattern JAVA_BLOCK =
      Pattern.compile("(?ms)^(?<above>[^\\n]*)\\n```java\\n(?<code>.*?)^```$");

  private static final Pattern MARKER = Pattern.compile("<!-- snippet: (\\S+) (\\S+) -->");

  /** The root of the project: tests run in their module's directory. */
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }

  @ParameterizedTest
  @MethodSource("documents")
  void javaBlocksAreQuotedFromCompiledSource(Path document) throws IOException {
    Matcher block = JAVA_BLOCK.matcher(Files.readString(document));
    while (block.find()) {
      Matcher marker = MARKER.matcher(block.group("above"));
      assertThat(marker.matches())
          .as("%s: a marker above the Java block%n%s", document, block.group("code"))
          .isTrue();
      assertThat(block.group("code"))
          .as("%s quotes %s", document, marker.group())
          .isEqualTo(region(ROOT.resolve(marker.group(1)), marker.group(2)));
    }
  }

  static String region(Path source, String tag) throws IOException {
    List<String> lines = Files.readAllLines(source);
    int start = indexOf(lines, "// tag::" + tag + "[]", source);
    int end = indexOf(lines, "// end::" + tag + "[]", source);
    return String.join("\n", lines.subList(start + 1, end)).stripTrailing().stripIndent() + "\n";
  }

  private static int indexOf(List<String> lines, String line, Path source) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().equals(line)) {
        return i;
      }
    }
    throw new AssertionError(source + " has no line " + line);
  }
}
