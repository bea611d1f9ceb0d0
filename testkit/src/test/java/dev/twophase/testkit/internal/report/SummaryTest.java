package dev.twophase.testkit.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.choice.Coverage;
import dev.twophase.testkit.internal.explore.choice.Coverage.Way;
import dev.twophase.testkit.internal.trace.Determinism;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.internal.trace.TraceRecorder;
import dev.twophase.testkit.schedule.Schedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the summary says in each of its cells. */
class SummaryTest {

  private static final Schedule SCHEDULE =
      Schedule.parse("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle");

  private static final List<Coverage> COVERAGE =
      List.of(
          new Coverage(
              "commit in ntf",
              List.of(new Way("E", 0, 0), new Way("A", 12, 0), new Way("K", 0, 7))),
          new Coverage("begin in in", List.of(new Way("E", 3, 0))),
          new Coverage("close in ntf", List.of()),
          new Coverage("ntf in job", List.of(new Way("lost", 4, 0), new Way("twice", 0, 0))));

  @TempDir Path directory;
  private String html;
  private JsonNode json;

  @BeforeEach
  void write() throws Exception {
    Judgement finding =
        new Judgement(
            SCHEDULE, Verdict.DUPLICATE, Set.of(Verdict.DUPLICATE), List.of("C2"), List.of(), "x");
    Exploration exploration =
        new Exploration(
            Bound.oneFault(),
            100,
            90,
            5,
            1,
            0,
            "slow",
            0,
            true,
            0,
            List.of(finding),
            List.of(),
            Map.of("commit in ntf", 12L, "begin in in", 3L),
            List.of("ntf in job"),
            Duration.ofSeconds(4));
    Path page =
        new ReportFolder(directory)
            .write(
                "orders",
                exploration,
                new Repetition(Determinism.D1, 7, 6, 0xabc, new TraceRecorder(SCHEDULE)),
                COVERAGE,
                "8 repeated");
    html = Files.readString(page);
    json = new ObjectMapper().readTree(directory.resolve("summary.json").toFile());
  }

  private List<String> row(String first) {
    String cells =
        Pattern.compile("<tr><td>" + Pattern.quote(first) + "</td>(.*?)</tr>")
            .matcher(html)
            .results()
            .findFirst()
            .orElseThrow()
            .group(1);
    return Pattern.compile("<td class=\"(?:cell )?(.*?)\">(.*?)</td>")
        .matcher(cells)
        .results()
        .map(cell -> cell.group(1) + " " + cell.group(2))
        .toList();
  }

  @Test
  void eachCallHasACellForEachKind() {
    assertThat(html).containsPattern("<th>call in step</th><th>E: .*?<th>A: .*?<th>K: [^<]+</th>");
    assertThat(row("commit in ntf")).containsExactly("unreached 0", "fired 12", "impossible –");
    assertThat(row("begin in in")).containsExactly("fired 3", "none ·", "none ·");
    assertThat(html).contains("beyond the bound: close in ntf");
  }

  @Test
  void eachEventHasACellForEachWay() {
    assertThat(row("ntf")).containsExactly("fired lost 4", "unreached twice 0");
  }

  @Test
  void figuresAndFindingsAreThere() {
    assertThat(html)
        .contains(">REFUTED<", "<dt>schedules executed</dt><dd>100</dd>")
        .contains("<dt>distinct, with a fault fired</dt><dd>90</dd>", "<dt>schedules/s</dt><dd>25<")
        .contains("<dt>refuted</dt><dd>5</dd>", "<dt>inconclusive</dt><dd>1</dd>")
        .contains("<dd>D1 (threads of the sink): the same calls of each attempt in 6 of 7 runs")
        .contains("<dd>8 repeated</dd>", "<td>DUPLICATE (C2)</td>", SCHEDULE.toString());
  }

  @Test
  void theJsonSaysTheSame() {
    assertThat(json.at("/subject").asText()).isEqualTo("orders");
    assertThat(json.at("/exhausted").asBoolean(true)).isFalse();
    assertThat(json.at("/schedules").asLong()).isEqualTo(100);
    assertThat(json.at("/distinct").asLong()).isEqualTo(90);
    assertThat(json.at("/perSecond").asLong()).isEqualTo(25);
    assertThat(json.at("/refuted").asLong()).isEqualTo(5);
    assertThat(json.at("/inconclusive").asLong()).isEqualTo(1);
    assertThat(json.at("/completedFaults").asInt(-1)).isZero();
    assertThat(json.at("/unreached/0").asText()).isEqualTo("ntf in job");
    assertThat(json.at("/firings/commit in ntf").asLong()).isEqualTo(12);
    assertThat(json.at("/findings/0/title").asText()).isEqualTo("DUPLICATE (C2)");
    assertThat(json.at("/findings/0/schedule").asText()).isEqualTo(SCHEDULE.toString());
    assertThat(json.at("/determinism/alike").asInt()).isEqualTo(6);
  }
}
