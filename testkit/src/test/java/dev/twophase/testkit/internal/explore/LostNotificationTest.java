package dev.twophase.testkit.internal.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LostNotificationTest {

  private static final Explorer EXPLORER =
      new Explorer(new Subject<>(new MemorySink(MemoryConnector::new)), Bound.oneFault());

  /** That such a step is needed for a notification to arrive is a matter of the job's test. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aLostNotificationIsOneSubtasksAndNothingElseChanges(int subtask) {
    List<Schedule> schedules = EXPLORER.explorations().get(0).withOneFault().toList();
    List<Step> lost = new ArrayList<>(schedules.get(0).steps());

    assertThat(lost.remove(Step.of(Verb.NTF, subtask, 1))).isTrue();
    assertThat(schedules).filteredOn(schedule -> schedule.steps().equals(lost)).hasSize(1);
  }
}
