import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Adds up the test reports of all modules and both Flink lines. */
class Totals {

  public static void main(String[] arguments) throws IOException {
    List<Path> reports;
    try (Stream<Path> files = Files.walk(Path.of(arguments[0]), 4)) {
      reports =
          files
              .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
              .filter(file -> file.toString().contains("surefire-reports"))
              .toList();
    }
    int tests = 0;
    int failed = 0;
    int skipped = 0;
    for (Path report : reports) {
      String xml = Files.readString(report);
      int start = xml.indexOf("<testsuite ");
      String head = xml.substring(start, xml.indexOf('>', start));
      tests += count(head, "tests");
      failed += count(head, "failures") + count(head, "errors");
      skipped += count(head, "skipped");
    }
    System.out.println(
        (tests - failed - skipped) + " passed, " + failed + " failed, " + skipped + " skipped");
    if (tests == 0) {
      System.exit(1);
    }
  }

  private static int count(String head, String what) {
    Matcher matcher = Pattern.compile("\\s" + what + "=\"(\\d+)\"").matcher(head);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
