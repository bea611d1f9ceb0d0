package dev.twophase.testkit.internal.report.drawing;

import dev.twophase.testkit.internal.trace.Event;
import dev.twophase.testkit.internal.trace.Event.Kind;
import dev.twophase.testkit.internal.trace.Trace;
import dev.twophase.testkit.internal.trace.Trace.TracedStep;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Picks from a trace what a picture needs. Calls that change nothing are left out unless something
 * happened to them, and of the settling only what it brings about is shown.
 */
final class Rows {

  private static final Set<Kind> SIDE_BY_SIDE =
      EnumSet.of(
          Kind.START, Kind.INPUT, Kind.BARRIER, Kind.NOTIFIED, Kind.END_OF_INPUT, Kind.CLOSED);

  private static final Set<Kind> ROUTINE_OF_SETTLING =
      EnumSet.of(Kind.BARRIER, Kind.NOTIFIED, Kind.END_OF_INPUT, Kind.CLOCK);

  private final List<Row> rows = new ArrayList<>();

  private Rows() {}

  static List<Row> of(Trace trace) {
    Rows made = new Rows();
    int next = 0;
    for (int step = 0; step < trace.steps().size(); step++) {
      int before = made.rows.size();
      boolean settling = isSettling(trace.steps().get(step));
      while (next < trace.events().size() && trace.events().get(next).step() <= step) {
        Event event = trace.events().get(next++);
        if (isWorthShowing(event, settling)) {
          made.add(event);
        }
      }
      if (made.rows.size() == before) {
        made.rows.add(new Row(step, List.of(), 1));
      }
    }
    return made.rows;
  }

  private static boolean isSettling(TracedStep step) {
    return step.text().equals("settle");
  }

  private static boolean isWorthShowing(Event event, boolean settling) {
    if (event.kind() == Kind.CALL) {
      Effect effect = Effect.of(event.text());
      return event.fault() != null || (effect != Effect.NONE && effect != Effect.WRITE);
    }
    if (settling && event.kind() == Kind.CHECKPOINT) {
      return event.text().endsWith("stored");
    }
    return !settling || !ROUTINE_OF_SETTLING.contains(event.kind());
  }

  private void add(Event event) {
    Row last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
    if (last != null && last.step() == event.step()) {
      if (event.kind() == Kind.INPUT && continues(last, event)) {
        return;
      }
      if (repeats(last, event)) {
        rows.set(rows.size() - 1, new Row(last.step(), last.events(), last.times() + 1));
        return;
      }
      if (fitsBeside(last, event)) {
        List<Event> both = new ArrayList<>(last.events());
        both.add(event);
        rows.set(rows.size() - 1, new Row(last.step(), both, 1));
        return;
      }
    }
    rows.add(new Row(event.step(), List.of(event), 1));
  }

  /** Records that an attempt gets one after the other are one input to the eye. */
  private boolean continues(Row row, Event event) {
    List<Event> events = new ArrayList<>(row.events());
    for (int i = 0; i < events.size(); i++) {
      Event other = events.get(i);
      if (other.kind() == Kind.INPUT
          && other.subtask() == event.subtask()
          && other.attempt() == event.attempt()) {
        List<Long> records = new ArrayList<>(other.records());
        records.addAll(event.records());
        events.set(
            i,
            new Event(
                other.step(),
                Kind.INPUT,
                other.subtask(),
                other.attempt(),
                other.text(),
                null,
                records));
        rows.set(rows.size() - 1, new Row(row.step(), events, 1));
        return true;
      }
    }
    return false;
  }

  private static boolean repeats(Row row, Event event) {
    return event.kind() == Kind.CALL
        && event.fault() == null
        && row.events().size() == 1
        && row.events().get(0).equals(event);
  }

  private static boolean fitsBeside(Row row, Event event) {
    if (!SIDE_BY_SIDE.contains(event.kind()) || row.events().isEmpty()) {
      return false;
    }
    return row.events().stream()
        .allMatch(other -> other.kind() == event.kind() && other.subtask() != event.subtask());
  }
}
