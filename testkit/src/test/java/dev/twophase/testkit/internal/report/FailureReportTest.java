package dev.twophase.testkit.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Determinism;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.internal.trace.Trace;
import dev.twophase.testkit.internal.trace.TraceRecorder;
import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureReportTest {

  static final String DUPLICATES =
      "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=A; s1.ntf 1; up 1; settle";

  private static final String HOSTILE =
      "<script>alert('x')</script>\"'&</svg>]]>\u202E\u2066\uD83D\u0007";

  @TempDir Path directory;

  private Path report(MemorySink sink, String name, String line) throws Exception {
    Judgement found = SinkKit.of(sink).replay(line);
    return new Reporter(new Subject<>(sink), name)
        .write(found, "run " + line, new ReportFolder(directory));
  }

  private static Path jsonOf(Path page) {
    return page.resolveSibling(page.getFileName().toString().replace(".html", ".json"));
  }

  @Test
  void thePageSaysWhatWhyAndHowToSeeItAgain() throws Exception {
    String html = Files.readString(report(new MemorySink(PublishesAgain::new), "x", DUPLICATES));

    assertThat(html)
        .contains("DUPLICATE", "commit is idempotent", "record 1 is visible more than once")
        .contains("run " + DUPLICATES);
  }

  @Test
  void thePictureHasALaneForEachActorAndMarksWhatMatters() throws Exception {
    String html = Files.readString(report(new MemorySink(PublishesAgain::new), "x", DUPLICATES));

    assertThat(html)
        .contains(">job manager<", ">subtask 0<", ">subtask 1<", ">external system<", ">reader<")
        .contains(">attempt 0<", ">attempt 1<")
        .contains(">barrier 1<", ">checkpoint 1 stored<", ">preCommit(", ">! commit#1=A<")
        .contains("class=\"alarm\"", ">done, reply lost<", ">sees 1, 2, 1, 2<");
  }

  @Test
  void thePageNeedsNothingElseAndRunsNothing() throws Exception {
    String html = Files.readString(report(new MemorySink(PublishesAgain::new), "x", DUPLICATES));

    assertThat(html).doesNotContain("<script", "<link", "<img", "src=", "url(");
  }

  @Test
  void theJsonHasTheSameFactsAndTheWholeTrace() throws Exception {
    Path page = report(new MemorySink(PublishesAgain::new), "x", DUPLICATES);

    JsonNode json = new ObjectMapper().readTree(jsonOf(page).toFile());

    assertThat(json.at("/verdict").asText()).isEqualTo("DUPLICATE");
    assertThat(json.at("/rules/0").asText()).isEqualTo("C2");
    assertThat(json.at("/schedule").asText()).isEqualTo(DUPLICATES);
    assertThat(json.at("/determinism/class").asText()).isEqualTo("D0");
    assertThat(json.at("/trace/steps/3/faults/0").asText()).isEqualTo("commit#1=A");
    assertThat(json.at("/trace/events")).anyMatch(event -> "ANOMALY".equals(kindOf(event)));
    assertThat(json.at("/trace/events"))
        .anyMatch(event -> "CALL".equals(kindOf(event)) && "A".equals(event.at("/fault").asText()));
  }

  private static String kindOf(JsonNode event) {
    return event.at("/kind").asText();
  }

  @Test
  void callsAreShownWithWhatTheyAreMadeWith() throws Exception {
    Path page = report(new MemorySink(PublishesAgain::new), "x", DUPLICATES);

    assertThat(Files.readString(page)).containsPattern(">begin\\(sut[^<]+\\)<");
    assertThat(new ObjectMapper().readTree(jsonOf(page).toFile()).at("/trace/events"))
        .filteredOn(event -> "commit".equals(event.at("/text").asText()))
        .isNotEmpty()
        .allMatch(event -> event.at("/arguments").asText().startsWith("sut"));
  }

  @Test
  void whatIsPutInAgainWhileSettlingIsDrawn() throws Exception {
    String html =
        Files.readString(
            report(
                new MemorySink(PublishesAgain::new), "x", "2pk/1 p=1; s0.in 1; s0.kill; settle"));

    assertThat(Pattern.compile(">input 1<").matcher(html).results()).hasSize(2);
    assertThat(html).containsPattern(">preCommit\\(");
  }

  @Test
  void whatEarlierRunsHaveWrittenIsRemovedAndNothingElse() throws Exception {
    Path page = report(new MemorySink(PublishesAgain::new), "x", DUPLICATES);
    Path earlier = Files.writeString(directory.resolve("LOSS-W2-37a68267.html"), "accuses");
    Path notes = Files.writeString(directory.resolve("notes.html"), "somebody's own");
    for (Path old : List.of(earlier, notes)) {
      Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    }

    new ReportFolder(directory).removeEarlier();

    assertThat(earlier).doesNotExist();
    assertThat(notes).exists();
    assertThat(page).exists();
    assertThat(jsonOf(page)).exists();
  }

  @Test
  void hostileNamesAndMessagesStayText() throws Exception {
    MemorySink sink = new MemorySink(HostileConnector::new);
    String html =
        Files.readString(report(sink, HOSTILE, "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; settle"));

    assertThat(html).doesNotContain("<script", "</svg>]]", "\u202E", "\u2066", "\u0007");
    assertThat(html).contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    assertBalanced(html);
  }

  @Test
  void S2_passwordsInMessagesOfDriversAreLeftOut() throws Exception {
    MemorySink sink = new MemorySink(HostileConnector::new);
    Path page = report(sink, "x", "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; settle");

    assertThat(page).content().doesNotContain("hunter2");
    assertThat(jsonOf(page)).content().doesNotContain("hunter2");
  }

  @Test
  void hostileRecordsAreEscaped() throws Exception {
    String html = FailurePage.of(hostile(HOSTILE));

    assertThat(html).doesNotContain("<script", "</svg>]]", "\u202E", "\u2066", "\uD83D");
    assertBalanced(html);
  }

  @Test
  void hostileRecordsAreThereInTheFiles() throws Exception {
    Path page = new ReportFolder(directory).write(hostile("W2"));

    assertThat(Files.readString(page)).contains("alert(");
    String json = Files.readString(jsonOf(page));
    assertThat(json).doesNotContain("\u202E", "\u2066", "\uD83D");
    JsonNode key = new ObjectMapper().readTree(json).at("/records/0/key");
    assertThat(key.asText()).startsWith("<script>alert('x')</script>").endsWith("\uFFFD");
  }

  private static FailureReport hostile(String rule) {
    Judgement judgement = SinkKit.of(new MemorySink(PublishesAgain::new)).replay(DUPLICATES);
    Judgement hostile =
        new Judgement(
            judgement.schedule(),
            Verdict.CORRUPT,
            Set.of(Verdict.CORRUPT),
            List.of(rule),
            List.of(new TestRecord(1, HOSTILE, 0)),
            HOSTILE);
    return new FailureReport(
        HOSTILE,
        hostile,
        HOSTILE,
        new Trace(1, List.of(), List.of()),
        new Repetition(Determinism.D0, 1, 1, 0, new TraceRecorder(judgement.schedule())),
        Map.of(HOSTILE, HOSTILE));
  }

  @Test
  void theRulesOfTheReportsAreThoseOfTheProtocol() throws IOException {
    String protocol = Files.readString(Path.of("../docs/protocol.md"));
    Stream<String> numbers =
        Pattern.compile("- \\*\\*([A-Z]\\d+)\\*\\*")
            .matcher(protocol)
            .results()
            .map(match -> match.group(1));

    assertThat(numbers).containsExactlyInAnyOrderElementsOf(Rules.all().keySet());
  }

  /** Every element that is opened is closed, in order: nothing has broken out of its place. */
  private static void assertBalanced(String html) {
    ArrayDeque<String> open = new ArrayDeque<>();
    Matcher tags = Pattern.compile("<(/?)([a-zA-Z0-9]+)([^<>]*?)(/?)>").matcher(html);
    while (tags.find()) {
      if (!tags.group(1).isEmpty()) {
        assertThat(tags.group(2)).isEqualTo(open.pop());
      } else if (tags.group(4).isEmpty()) {
        open.push(tags.group(2));
      }
    }
    assertThat(open).isEmpty();
  }

  private static final class HostileConnector extends MemoryConnector {
    HostileConnector(String namespace) {
      super(namespace);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws IOException {
      throw new IOException("jdbc:x?user=u&password=hunter2 " + HOSTILE);
    }
  }
}
