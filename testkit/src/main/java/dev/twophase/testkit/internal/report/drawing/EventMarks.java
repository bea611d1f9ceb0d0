package dev.twophase.testkit.internal.report.drawing;

import dev.twophase.testkit.internal.trace.Event;
import dev.twophase.testkit.internal.trace.Event.Kind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Draws one event into its row. */
final class EventMarks {

  private static final int LETTERS_OF_JOB = 24;
  private static final int LETTERS_OF_ARGUMENT = 20;
  private static final int LETTERS_OF_READER = 34;
  private static final int LETTERS_OF_SYSTEM = 18;
  private static final double LETTER = 6.3;

  private final Markup out;
  private final Geometry at;
  private final Lanes lanes;
  private final Set<String> errors = new HashSet<>();

  EventMarks(Markup out, Geometry at, Lanes lanes) {
    this.out = out;
    this.at = at;
    this.lanes = lanes;
  }

  void draw(Event event, int row, int times) {
    double y = at.y(row);
    switch (event.kind()) {
      case CHECKPOINT -> checkpoint(event, y);
      case CALL -> call(event, y, times);
      case VISIBLE -> visible(event, y);
      case LEFT_BEHIND -> leftBehind(event, y);
      case ANOMALY -> anomaly(event, row);
      case DIED, LOST -> end(event, y);
      default -> happened(event, y);
    }
  }

  private void checkpoint(Event event, double y) {
    boolean stored = event.text().endsWith("stored");
    Text.put(
        out, event.text(), LETTERS_OF_JOB, stored ? "label strong" : "label", at.job() + 24, y + 4);
    out.empty(
        "circle", "class", stored ? "dot stored" : "dot", "cx", at.job() + 13, "cy", y, "r", 4);
  }

  private void happened(Event event, double y) {
    double bar = at.bar(lanes.laneOf(event));
    if (event.kind() == Kind.BARRIER) {
      out.empty(
          "line",
          "class",
          "barrier",
          "x1",
          bar - 12,
          "x2",
          bar + at.laneWidth() - 26,
          "y1",
          y + 9,
          "y2",
          y + 9);
    } else if (event.kind() == Kind.CLOSED) {
      out.empty("rect", "class", "closed", "x", bar - 6, "y", y - 2, "width", 12, "height", 4);
    } else {
      out.empty("circle", "class", "dot", "cx", bar, "cy", y, "r", 3);
    }
    Text.put(out, words(event), at.lettersInLane(), "label", bar + 12, y + 4);
  }

  private static String words(Event event) {
    return event.records().isEmpty() ? event.text() : event.text() + ' ' + ids(event);
  }

  private static String ids(Event event) {
    return event.records().stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private void call(Event event, double y, int times) {
    double bar = at.bar(lanes.laneOf(event));
    Effect effect = Effect.of(event.text());
    String fault = event.fault();
    String made = event.text() + madeWith(event);
    String name = times == 1 ? made : made + " ×" + times;
    boolean killed = "K".equals(fault);
    int room = (int) ((at.systemBar() - bar - 24) / LETTER) / (killed ? 2 : 1);
    Text.put(out, name, room, fault == null ? "label call" : "label call fault", bar + 12, y);
    double end = at.systemBar() - Geometry.BAR / 2 - 1;
    if (fault == null) {
      arrow("call", bar + 6, end, y + 5);
      outcome(effect.request(), "label", y);
      return;
    }
    if (FaultWords.arrives(fault)) {
      arrow("call", bar + 6, end, y + 4);
      out.empty("line", "class", "lost reply", "x1", end, "x2", bar + 34, "y1", y + 9, "y2", y + 9);
      cross(bar + 26, y + 9);
      outcome("done, reply lost", "label fault", y);
    } else if (killed) {
      double behind = bar + 20 + Math.min(name.length(), room) * LETTER;
      Text.put(out, FaultWords.of(fault), 40, "label fault", behind, y);
    } else {
      double stop = bar + Math.min(110, (end - bar) / 2);
      out.empty("line", "class", "lost", "x1", bar + 6, "x2", stop, "y1", y + 5, "y2", y + 5);
      cross(stop + 6, y + 5);
      outcome("never arrives", "label fault", y);
    }
    badge(bar, y, fault);
  }

  /** Ids differ in how they begin and end: the middle is left out. */
  private static String madeWith(Event event) {
    if (event.arguments().isEmpty()) {
      return "";
    }
    return Arrays.stream(event.arguments().split(", ", -1))
        .map(
            each ->
                each.length() <= LETTERS_OF_ARGUMENT
                    ? each
                    : each.substring(0, LETTERS_OF_ARGUMENT / 2)
                        + '…'
                        + each.substring(each.length() - LETTERS_OF_ARGUMENT / 2))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private void outcome(String text, String type, double y) {
    Text.put(out, text, LETTERS_OF_SYSTEM, type, at.systemBar() + 12, y + 6);
  }

  private void arrow(String type, double from, double to, double y) {
    out.empty("line", "class", type, "x1", from, "x2", to - 5, "y1", y, "y2", y);
    out.empty(
        "path",
        "class",
        "tip",
        "d",
        "M" + (to - 7) + ' ' + (y - 4) + 'L' + to + ' ' + y + 'L' + (to - 7) + ' ' + (y + 4) + 'Z');
  }

  private void cross(double x, double y) {
    out.empty(
        "path",
        "class",
        "cross",
        "d",
        "M" + (x - 5) + ' ' + (y - 5) + "l10 10M" + (x + 5) + ' ' + (y - 5) + "l-10 10");
  }

  private void badge(double x, double y, String letter) {
    out.empty("circle", "class", "badge", "cx", x, "cy", y, "r", 9);
    out.element("text", letter, "class", "badge-letter", "x", x, "y", y + 4);
  }

  private void end(Event event, double y) {
    double bar = at.bar(lanes.laneOf(event));
    if (event.kind() == Kind.DIED) {
      cross(bar, y);
    } else {
      out.empty("circle", "class", "badge", "cx", bar, "cy", y, "r", 4);
    }
    double room = (at.width() - bar) / LETTER - 6;
    Text.put(out, toldOnce(event.text()), (int) room, "label fault", bar + 12, y + 4);
  }

  /** The message of "fails: Type: message" is told the first time only. */
  private String toldOnce(String end) {
    int message = end.indexOf(": ", end.indexOf(": ") + 2);
    return errors.add(end) || message < 0 ? end : end.substring(0, message) + ", as before";
  }

  private void visible(Event event, double y) {
    String sees = event.records().isEmpty() ? "sees nothing" : "sees " + ids(event);
    out.empty(
        "line", "class", "seen", "x1", at.systemBar() + 6, "x2", at.reader() + 4, "y1", y, "y2", y);
    out.empty("circle", "class", "dot seen", "cx", at.reader() + 8, "cy", y, "r", 4);
    Text.put(out, sees, LETTERS_OF_READER, "label strong", at.reader() + 18, y + 4);
  }

  private void leftBehind(Event event, double y) {
    out.empty("circle", "class", "dot", "cx", at.systemBar(), "cy", y, "r", 4);
    Text.put(out, event.text(), LETTERS_OF_READER, "label strong", at.systemBar() + 12, y + 4);
  }

  private void anomaly(Event event, int row) {
    out.empty(
        "rect",
        "class",
        "alarm",
        "x",
        at.job(),
        "y",
        at.top(row) + 1,
        "width",
        at.width() - at.job(),
        "height",
        Geometry.ROW - 2,
        "rx",
        4);
    String verdict = event.text().substring(0, event.text().indexOf(':'));
    double width = verdict.length() * 8.2 + 14;
    double x = at.reader() + 4;
    out.empty(
        "rect",
        "class",
        "pill",
        "x",
        x,
        "y",
        at.top(row) + 3,
        "width",
        width,
        "height",
        19,
        "rx",
        9);
    out.element("text", verdict, "class", "pill-text", "x", x + width / 2, "y", at.y(row) + 4);
    String which = event.records().isEmpty() ? "" : "record " + ids(event);
    int room = (int) ((Geometry.READER_WIDTH - width - 16) / LETTER);
    Text.put(out, which, room, "label fault strong", x + width + 8, at.y(row) + 4);
    String found = event.text().substring(verdict.length() + 2);
    int wide = (int) ((at.system() - at.job()) / LETTER) - 6;
    Text.put(out, found, wide, "label fault", at.job() + 24, at.y(row) + 4);
    out.empty("circle", "class", "badge", "cx", at.job() + 13, "cy", at.y(row), "r", 6);
  }
}
