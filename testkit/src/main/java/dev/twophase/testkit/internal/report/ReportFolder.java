package dev.twophase.testkit.internal.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.explore.choice.Coverage;
import dev.twophase.testkit.internal.trace.Repetition;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The directory in which the reports of one subject are kept. Thread-safe. */
public final class ReportFolder {

  /** The system property that names the directory above it. */
  public static final String PROPERTY = "twophase.reports";

  private static final String DEFAULT = "target/twophase-reports";
  private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.-]");

  /** Leaves room for a hash in one path component on every file system. */
  private static final int LONGEST = 200;

  /** The names given here. */
  private static final Pattern WRITTEN =
      Pattern.compile("(summary|[A-Z]+(-[A-Z]\\d+)?-[0-9a-f]{8})\\.(html|json)");

  private final Path directory;

  /** A folder in this directory. */
  public ReportFolder(Path directory) {
    this.directory = directory;
  }

  /** The folder of a subject, such as the full name of a test class; subjects never share one. */
  public static ReportFolder of(String subject) {
    return new ReportFolder(Path.of(System.getProperty(PROPERTY, DEFAULT)).resolve(safe(subject)));
  }

  private static String safe(String subject) {
    String safe = UNSAFE.matcher(subject).replaceAll("_");
    String folder = safe.substring(0, Math.min(safe.length(), LONGEST));
    return folder.equals(subject) && !folder.matches("\\.*")
        ? folder
        : folder + String.format(Locale.ROOT, "-%08x", subject.hashCode());
  }

  Path directory() {
    return directory;
  }

  /** Where it is, and which setting says so. */
  @Override
  public String toString() {
    return directory.toAbsolutePath() + " (the property " + PROPERTY + " names another directory)";
  }

  /**
   * Removes what earlier processes have written: what accused a sink then may be mended by now.
   *
   * @throws IOException if something cannot be removed
   */
  public void removeEarlier() throws IOException {
    Instant begun = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
    File[] files = directory.toFile().listFiles((folder, name) -> WRITTEN.matcher(name).matches());
    for (File file : files == null ? new File[0] : files) {
      if (Files.getLastModifiedTime(file.toPath()).toInstant().isBefore(begun)) {
        Files.deleteIfExists(file.toPath());
      }
    }
  }

  /**
   * Writes the page of a failure, and the same as JSON beside it.
   *
   * @return the page
   */
  public Path write(FailureReport report) throws IOException {
    Files.createDirectories(directory);
    String name = nameOf(report.judgement());
    Path page = directory.resolve(name + ".html");
    Files.writeString(page, FailurePage.of(report));
    Files.write(directory.resolve(name + ".json"), json(report));
    return page;
  }

  /**
   * Writes the summary of an exploration, with links to the reports that are there, and the same as
   * JSON beside it.
   *
   * @param repeated what came of repeating the schedule without faults
   * @param fresh what came of repeating schedules with a fresh class loader per attempt
   * @return the page
   */
  public Path write(
      String subject,
      Exploration exploration,
      Repetition repeated,
      List<Coverage> coverage,
      String fresh)
      throws IOException {
    Files.createDirectories(directory);
    List<String> reports =
        exploration.findings().stream()
            .map(finding -> nameOf(finding) + ".html")
            .filter(name -> Files.exists(directory.resolve(name)))
            .toList();
    Path page = directory.resolve("summary.html");
    Summary summary = new Summary(subject, exploration, repeated, coverage, fresh, reports);
    Files.writeString(page, SummaryPage.of(summary));
    Files.write(directory.resolve("summary.json"), json(summary));
    return page;
  }

  /** Equal schedules have equal names: a second run replaces what the first one wrote. */
  static String nameOf(Judgement judgement) {
    String rule = judgement.rules().isEmpty() ? "" : "-" + judgement.rules().get(0);
    int hash = judgement.schedule().toString().hashCode();
    return judgement.verdict() + rule + String.format(Locale.ROOT, "-%08x", hash);
  }

  static byte[] json(FailureReport report) throws IOException {
    Judgement judgement = report.judgement();
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("format", "2pk-report/1");
    content.put("subject", report.subject());
    content.put("verdict", judgement.verdict());
    content.put("found", judgement.found().stream().sorted().toList());
    content.put("rules", judgement.rules());
    content.put("why", judgement.why());
    content.put("schedule", judgement.schedule().toString());
    content.put("replay", report.replay());
    content.put("records", judgement.records());
    content.put("determinism", determinism(report.repeated()));
    content.put("facts", report.facts());
    content.put("trace", report.trace());
    return bytes(content);
  }

  private static byte[] json(Summary summary) throws IOException {
    Exploration exploration = summary.exploration();
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("format", "2pk-summary/1");
    content.put("subject", summary.subject());
    content.put("exhausted", exploration.exhausted());
    content.put("described", exploration.describe());
    content.put("determinism", determinism(summary.repeated()));
    content.put("freshClasses", summary.fresh());
    content.put("schedules", exploration.schedules());
    content.put("distinct", exploration.distinct());
    content.put("perSecond", exploration.perSecond());
    content.put("refuted", exploration.refuted());
    content.put("inconclusive", exploration.inconclusive());
    content.put("completedFaults", exploration.completed());
    content.put("unreached", exploration.unreached());
    content.put("firings", new TreeMap<>(exploration.firings()));
    content.put(
        "findings",
        exploration.findings().stream()
            .map(found -> Map.of("title", found.title(), "schedule", found.schedule().toString()))
            .toList());
    return bytes(content);
  }

  private static Map<String, Object> determinism(Repetition repeated) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("class", repeated.determinism());
    content.put("runs", repeated.runs());
    content.put("alike", repeated.alike());
    content.put("described", repeated.describe());
    return content;
  }

  private static byte[] bytes(Map<String, Object> content) throws IOException {
    return new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .registerModule(HarmlessText.MODULE)
        .writeValueAsBytes(content);
  }
}
