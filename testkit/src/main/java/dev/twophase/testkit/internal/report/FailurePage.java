package dev.twophase.testkit.internal.report;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.report.drawing.Legend;
import dev.twophase.testkit.internal.report.drawing.Markup;
import dev.twophase.testkit.internal.report.drawing.TimelineSvg;

/** The page that shows one failure: what, why, when, and how to see it again. */
final class FailurePage {

  private final FailureReport report;
  private final Judgement judgement;
  private final Markup out;

  private FailurePage(FailureReport report) {
    this.report = report;
    this.judgement = report.judgement();
    this.out = Page.begin(judgement.title() + " – " + report.subject());
  }

  static String of(FailureReport report) {
    return new FailurePage(report).write();
  }

  private String write() {
    heading();
    out.element("h2", "What happened");
    out.open("div", "class", "scroll");
    TimelineSvg.draw(out, report.trace());
    out.close();
    Legend.write(out);
    out.element("h2", "Schedule");
    out.element("pre", judgement.schedule().toString());
    out.element("h2", "Run it again");
    out.element("pre", report.replay());
    records();
    facts();
    return Page.end(out);
  }

  private void heading() {
    out.open("h1");
    String type =
        judgement.verdict().accuses()
            ? "verdict"
            : judgement.verdict().passes() ? "verdict good" : "verdict warn";
    out.element("span", judgement.verdict().name(), "class", type);
    out.element("span", report.subject());
    out.close();
    out.open("p", "class", "why").text(judgement.why()).text(".").close();
    if (judgement.rules().isEmpty()) {
      return;
    }
    out.open("dl", "class", "facts");
    for (int i = 0; i < judgement.rules().size(); i++) {
      String rule = judgement.rules().get(i);
      out.open("dt").text(i == 0 ? "rule broken " : "or else ");
      out.element("strong", rule).close();
      out.element("dd", Rules.text(rule));
    }
    out.close();
  }

  private void records() {
    if (judgement.records().isEmpty()) {
      return;
    }
    out.element("h2", "Records concerned");
    out.open("table").open("tr");
    out.element("th", "id").element("th", "key").element("th", "sequence").close();
    for (TestRecord record : judgement.records()) {
      out.open("tr").element("td", Long.toString(record.id()));
      out.element("td", record.key());
      out.element("td", record.key().isEmpty() ? "" : Long.toString(record.sequence())).close();
    }
    out.close();
  }

  private void facts() {
    out.element("h2", "Made with");
    out.open("dl", "class", "facts");
    report.facts().forEach((name, value) -> out.element("dt", name).element("dd", value));
    out.close();
  }
}
