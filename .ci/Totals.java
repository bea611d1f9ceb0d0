import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Adds up the test reports of all modules and both Flink lines: a table, and the totals last. */
class Totals {

  private int tests;
  private int failed;
  private int skipped;
  private double seconds;

  public static void main(String[] arguments) throws IOException {
    List<Path> reports;
    try (Stream<Path> files = Files.walk(Path.of(arguments[0]), 4)) {
      reports =
          files
              .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
              .filter(file -> file.getParent().endsWith("surefire-reports"))
              .toList();
    }
    Map<String, Totals> modules = new TreeMap<>();
    Totals all = new Totals();
    for (Path report : reports) {
      String head = head(Files.readString(report));
      Path target = report.getParent().getParent();
      String module = target.getParent().getFileName() + " (" + target.getFileName() + ")";
      modules.computeIfAbsent(module, name -> new Totals()).add(head);
      all.add(head);
    }
    modules.forEach(
        (module, totals) ->
            System.out.printf("%-32s %6.0f s  %s%n", module, totals.seconds, totals));
    System.out.println(all);
    if (all.tests == 0) {
      System.exit(1);
    }
  }

  private static String head(String xml) {
    int start = xml.indexOf("<testsuite ");
    return xml.substring(start, xml.indexOf('>', start));
  }

  private void add(String head) {
    tests += (int) number(head, "tests");
    failed += (int) (number(head, "failures") + number(head, "errors"));
    skipped += (int) number(head, "skipped");
    seconds += number(head, "time");
  }

  private static double number(String head, String attribute) {
    Matcher matcher = Pattern.compile("\\s" + attribute + "=\"([\\d.]+)\"").matcher(head);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
  }

  @Override
  public String toString() {
    return (tests - failed - skipped) + " passed, " + failed + " failed, " + skipped + " skipped";
  }
}
