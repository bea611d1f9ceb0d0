package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.internal.explore.choice.Coverage;
import dev.twophase.testkit.internal.explore.choice.Coverage.Way;
import dev.twophase.testkit.internal.report.drawing.FaultWords;
import dev.twophase.testkit.internal.report.drawing.Markup;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The page that sums an exploration up: its bound, its findings, and what was covered. */
final class SummaryPage {

  private static final List<String> KINDS = List.of("E", "A", "N", "U", "K", "D");
  private static final String EVENT = " in job";

  private final Summary summary;
  private final Exploration exploration;
  private final Markup out;

  private SummaryPage(Summary summary) {
    this.summary = summary;
    this.exploration = summary.exploration();
    this.out = Page.begin("Summary – " + summary.subject());
  }

  static String of(Summary summary) {
    return new SummaryPage(summary).write();
  }

  private String write() {
    heading();
    figures();
    findings();
    calls();
    events();
    return Page.end(out);
  }

  private void heading() {
    String type = exploration.refuted() > 0 ? "" : exploration.exhausted() ? " good" : " warn";
    String word =
        exploration.refuted() > 0
            ? "REFUTED"
            : exploration.exhausted() ? "EXHAUSTED" : "NOT EXHAUSTED";
    out.open("h1").element("span", word, "class", "verdict" + type);
    out.element("span", summary.subject()).close();
    out.element("p", exploration.describe(), "class", "why");
    if (exploration.refuted() == 0) {
      out.element(
          "p",
          "No schedule of those that were run breaks the sink. That says nothing of schedules beyond"
              + " the bound.",
          "class",
          "soft");
    }
  }

  private void figures() {
    double seconds = Math.max(1, exploration.took().toMillis()) / 1000.0;
    out.element("h2", "Figures").open("dl", "class", "facts");
    fact("schedules executed", Long.toString(exploration.schedules()));
    fact("distinct, with a fault fired", Long.toString(exploration.distinct()));
    fact("schedules/s", String.format(Locale.ROOT, "%.0f", exploration.schedules() / seconds));
    fact("refuted", Long.toString(exploration.refuted()));
    fact("inconclusive", Long.toString(exploration.inconclusive()));
    fact("determinism", summary.repeated().describe());
    fact("fresh class loader per attempt", summary.fresh());
    out.close();
  }

  private void fact(String name, String value) {
    out.element("dt", name).element("dd", value);
  }

  private void findings() {
    if (exploration.findings().isEmpty()) {
      return;
    }
    out.element("h2", "Findings").open("table").open("tr");
    out.element("th", "verdict (rule)").element("th", "shortest schedule").close();
    for (Judgement finding : exploration.findings()) {
      out.open("tr").open("td");
      String page = ReportFolder.nameOf(finding) + ".html";
      if (summary.reports().contains(page)) {
        out.element("a", finding.title(), "href", page);
      } else {
        out.text(finding.title());
      }
      out.close().open("td").element("code", finding.schedule().toString()).close().close();
    }
    out.close();
  }

  private void calls() {
    List<Coverage> calls = sorted(summary.coverage().stream().filter(Coverage::isCall).toList());
    List<Coverage> tried = calls.stream().filter(call -> !call.ways().isEmpty()).toList();
    if (tried.isEmpty()) {
      return;
    }
    List<String> kinds =
        KINDS.stream()
            .filter(kind -> tried.stream().anyMatch(call -> !waysOf(call, kind).isEmpty()))
            .toList();
    out.element("h2", "Calls × kinds of fault");
    out.element(
        "p",
        "How often each fault fired. A grey dash: made impossible by something else, such as a call"
            + " that failed by itself. A yellow 0: could have fired, and never did.",
        "class",
        "soft");
    out.open("div", "class", "scroll").open("table", "class", "grid").open("tr");
    out.element("th", "call in step");
    kinds.forEach(kind -> out.element("th", kind + ": " + FaultWords.of(kind)));
    out.close();
    for (Coverage call : tried) {
      out.open("tr").element("td", call.point());
      for (String kind : kinds) {
        cell(waysOf(call, kind), false);
      }
      out.close();
    }
    out.close().close();
    String beyond =
        calls.stream()
            .filter(call -> call.ways().isEmpty())
            .map(Coverage::point)
            .collect(Collectors.joining(", "));
    if (!beyond.isEmpty()) {
      out.element(
          "p", "Called only behind other faults, beyond the bound: " + beyond, "class", "soft");
    }
  }

  private static List<Way> waysOf(Coverage call, String kind) {
    return call.ways().stream().filter(way -> way.name().equals(kind)).toList();
  }

  private void events() {
    List<Coverage> events =
        sorted(
            summary.coverage().stream()
                .filter(each -> !each.isCall() && !each.ways().isEmpty())
                .toList());
    if (events.isEmpty()) {
      return;
    }
    int most = events.stream().mapToInt(event -> event.ways().size()).max().orElse(0);
    out.element("h2", "Events of the job");
    out.element("p", "How often each of them happened in one of the ways named.", "class", "soft");
    out.open("div", "class", "scroll").open("table", "class", "grid");
    for (Coverage event : events) {
      out.open("tr").element("td", event.point().replace(EVENT, ""));
      for (int i = 0; i < most; i++) {
        cell(i < event.ways().size() ? List.of(event.ways().get(i)) : List.of(), true);
      }
      out.close();
    }
    out.close().close();
  }

  private void cell(List<Way> ways, boolean named) {
    if (ways.isEmpty()) {
      out.element("td", named ? "" : "·", "class", "none");
      return;
    }
    Way way = ways.get(0);
    String type = way.fired() > 0 ? "fired" : way.impossible() > 0 ? "impossible" : "unreached";
    String count = type.equals("impossible") ? "–" : Long.toString(way.fired());
    out.element("td", named ? way.name() + ' ' + count : count, "class", "cell " + type);
  }

  private static List<Coverage> sorted(List<Coverage> coverage) {
    return coverage.stream().sorted(Comparator.comparing(Coverage::point)).toList();
  }
}
