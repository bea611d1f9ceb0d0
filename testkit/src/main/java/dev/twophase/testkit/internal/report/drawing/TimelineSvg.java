package dev.twophase.testkit.internal.report.drawing;

import dev.twophase.testkit.internal.report.drawing.Lanes.Life;
import dev.twophase.testkit.internal.trace.Event;
import dev.twophase.testkit.internal.trace.Trace;
import dev.twophase.testkit.internal.trace.Trace.TracedStep;
import java.util.ArrayList;
import java.util.List;

/** Draws a trace: lanes side by side, time running down, one band per step of the schedule. */
public final class TimelineSvg {

  private static final int LETTERS_IN_GUTTER = 30;

  private final Markup out;
  private final Trace trace;
  private final List<Row> rows;
  private final Lanes lanes;
  private final Geometry at;

  private TimelineSvg(Markup out, Trace trace) {
    this.out = out;
    this.trace = trace;
    this.rows = padded(Rows.of(trace), trace);
    this.lanes = new Lanes(rows);
    this.at = new Geometry(lanes.count(), rows.size());
  }

  public static void draw(Markup out, Trace trace) {
    new TimelineSvg(out, trace).draw();
  }

  /** A step that has faults needs a second row for their names. */
  private static List<Row> padded(List<Row> rows, Trace trace) {
    List<Row> padded = new ArrayList<>(rows);
    for (int step = 0; step < trace.steps().size(); step++) {
      int wanted = 1 + trace.steps().get(step).faults().size();
      int number = step;
      long present = padded.stream().filter(row -> row.step() == number).count();
      int end = 0;
      while (end < padded.size() && padded.get(end).step() <= step) {
        end++;
      }
      for (long k = present; k < wanted; k++) {
        padded.add(end, new Row(step, List.of(), 1));
      }
    }
    return padded;
  }

  private void draw() {
    out.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "timeline",
        "viewBox",
        "0 0 " + (int) at.width() + " " + (int) at.height(),
        "style",
        "max-width:" + (int) at.width() + "px",
        "role",
        "img",
        "aria-label",
        "Timeline of the schedule, step by step");
    bands();
    heads();
    bars();
    EventMarks marks = new EventMarks(out, at, lanes);
    for (int row = 0; row < rows.size(); row++) {
      for (Event event : rows.get(row).events()) {
        marks.draw(event, row, rows.get(row).times());
      }
    }
    out.close();
  }

  private void bands() {
    int row = 0;
    for (int step = 0; step < trace.steps().size(); step++) {
      int first = row;
      while (row < rows.size() && rows.get(row).step() == step) {
        row++;
      }
      out.empty(
          "rect",
          "class",
          step % 2 == 0 ? "band even" : "band",
          "x",
          0,
          "y",
          at.top(first),
          "width",
          at.width(),
          "height",
          (row - first) * Geometry.ROW);
      stepText(trace.steps().get(step), step, first);
    }
  }

  private void stepText(TracedStep step, int index, int row) {
    double y = at.y(row) + 4;
    out.element("text", Integer.toString(index + 1), "class", "number", "x", 26.0, "y", y);
    Text.put(
        out,
        step.text() + (step.executed() ? "" : " (no effect)"),
        LETTERS_IN_GUTTER,
        step.executed() ? "step" : "step skipped",
        38,
        y);
    for (int k = 0; k < step.faults().size(); k++) {
      double below = at.y(row + 1 + k) + 2;
      Text.put(out, "! " + step.faults().get(k), LETTERS_IN_GUTTER, "step fault", 38, below);
    }
  }

  private void heads() {
    head("step", 38);
    head("job manager", at.job() + 8);
    for (int lane = 0; lane < lanes.count(); lane++) {
      int number = lane;
      List<Life> here = lanes.lives().stream().filter(life -> life.lane == number).toList();
      head("subtask " + here.get(0).subtask, at.lane(lane) + 8);
      String attempts =
          here.size() == 1
              ? "attempt " + here.get(0).attempt
              : "attempts " + here.get(0).attempt + "–" + here.get(here.size() - 1).attempt;
      out.element("text", attempts, "class", "subhead", "x", at.lane(lane) + 8, "y", 44.0);
    }
    head("external system", at.system() + 8);
    head("reader", at.reader() + 8);
    out.empty(
        "line",
        "class",
        "rule",
        "x1",
        0,
        "x2",
        at.width(),
        "y1",
        Geometry.HEAD,
        "y2",
        Geometry.HEAD);
  }

  private void head(String text, double x) {
    out.element("text", text, "class", "head", "x", x, "y", 27.0);
  }

  private void bars() {
    for (Life life : lanes.lives()) {
      double top = at.y(life.firstRow) - 4;
      boolean ended = life.lastRow < rows.size();
      double bottom = ended ? at.y(life.lastRow) : at.top(rows.size());
      double lost = life.lostInRow < rows.size() ? at.y(life.lostInRow) : bottom;
      bar("life s" + life.subtask % 4, at.bar(life.lane), top, Math.min(lost, bottom));
      if (lost < bottom) {
        bar("life zombie", at.bar(life.lane), lost, bottom);
      }
    }
    bar("life system", at.systemBar(), at.top(0) + 4, at.top(rows.size()) - 2);
  }

  private void bar(String type, double middle, double top, double bottom) {
    out.empty(
        "rect",
        "class",
        type,
        "x",
        middle - Geometry.BAR / 2,
        "y",
        top,
        "width",
        Geometry.BAR,
        "height",
        Math.max(4, bottom - top),
        "rx",
        3);
  }
}
