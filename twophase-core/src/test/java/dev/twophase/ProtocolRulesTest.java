package dev.twophase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the list of rules, the code and the tests in step. */
class ProtocolRulesTest {

  private static final Path ROOT = repository();
  private static final Pattern RULE = Pattern.compile("- \\*\\*([WCAREVS]\\d+)\\*\\*");
  private static final Pattern TEST = Pattern.compile("void ([WCAREVS]\\d+)_\\w+\\(");
  private static final Pattern MENTION =
      Pattern.compile("\\(([WCAREVS]\\d+(?:[,;] [WCAREVS]\\d+)*)\\)");

  private static Path repository() {
    Path path = Path.of("").toAbsolutePath();
    while (!Files.exists(path.resolve("docs/protocol.md"))) {
      path = path.getParent();
    }
    return path;
  }

  private static Set<String> find(Pattern pattern, Stream<Path> files) {
    Set<String> found = new TreeSet<>();
    files.forEach(
        file -> {
          try {
            Matcher matcher = pattern.matcher(Files.readString(file));
            while (matcher.find()) {
              found.addAll(Set.of(matcher.group(1).split("[,;] ")));
            }
          } catch (IOException error) {
            throw new UncheckedIOException(error);
          }
        });
    return found;
  }

  private static Stream<Path> sources(String part) throws IOException {
    return Files.walk(ROOT)
        .filter(file -> file.toString().endsWith(".java"))
        .filter(file -> file.toString().contains("/src/" + part + "/"));
  }

  private static Set<String> rules() {
    return find(RULE, Stream.of(ROOT.resolve("docs/protocol.md")));
  }

  @Test
  void everyRuleHasATestNamedAfterIt() throws IOException {
    try (Stream<Path> tests = sources("test")) {
      assertThat(find(TEST, tests)).containsAll(rules());
    }
  }

  @Test
  void everyRuleMentionedInCodeExists() throws IOException {
    try (Stream<Path> code = sources("main")) {
      assertThat(rules()).containsAll(find(MENTION, code));
    }
  }
}
