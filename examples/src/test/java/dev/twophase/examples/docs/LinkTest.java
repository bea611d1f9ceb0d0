package dev.twophase.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link of a document to a file of the project leads to that file, and to its heading. */
class LinkTest {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  private static final Pattern ELSEWHERE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*");

  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\\n]*`");

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(path -> path.toString().endsWith(".md"))
          .filter(
              path -> !ROOT.relativize(path).toString().matches("(.*/)?(\\.[^/]*|target[^/]*)/.*"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linksLeadSomewhere(Path document) throws IOException {
    String text = CODE.matcher(Files.readString(document)).replaceAll("");
    List<String> broken =
        LINK.matcher(text)
            .results()
            .map(link -> link.group(1))
            .filter(link -> !ELSEWHERE.matcher(link).matches())
            .filter(link -> !leadsSomewhere(document, link))
            .toList();
    assertThat(broken).as("links of %s that lead nowhere", ROOT.relativize(document)).isEmpty();
  }

  private static boolean leadsSomewhere(Path document, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
    return Files.exists(target) && (parts.length == 1 || headings(target).contains(parts[1]));
  }

  private static List<String> headings(Path document) {
    try (Stream<String> lines = Files.lines(document)) {
      return lines.filter(line -> line.matches("#+ .*")).map(LinkTest::anchor).toList();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + document, e);
    }
  }

  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ +", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }
}
