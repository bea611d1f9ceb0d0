package dev.twophase.testkit.internal.report.drawing;

import dev.twophase.testkit.internal.trace.Event;
import java.util.List;

/**
 * What is drawn side by side.
 *
 * @param step index of the step to which it belongs
 * @param events of different lanes; none for a step in which nothing happened
 * @param times how often the one call in it was made in a row
 */
record Row(int step, List<Event> events, int times) {
  Row {
    events = List.copyOf(events);
  }
}
