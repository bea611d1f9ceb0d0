package dev.twophase.testkit.internal.explore.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.schedule.Step;
import dev.twophase.testkit.schedule.Verb;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a run tells of its plan. */
class ChoicesTest {

  private static final int OPTIONS = 4;

  private final Cells cells = new Cells(new Kinds(Set.of()));
  private final Choices choices = new Choices();

  @Test
  void aRunThatDoesNotComeToItsPlannedFaultNamesIt() {
    choices.begin(Plan.NONE, true);
    write();
    Plan plan = Plan.NONE.with(choices.points(false, cells)[0], 1);

    choices.begin(plan, true);
    assertThat(choices.planFollowed()).isFalse();
    assertThat(choices.missed()).isEqualTo("write at 's0.in 2'");

    choices.begin(plan, true);
    assertThat(write()).isEqualTo(1);
    assertThat(choices.planFollowed()).isTrue();
  }

  private int write() {
    return choices.choose(OPTIONS, false, cells.call(Verb.IN, "write"), Step.of(Verb.IN, 0, 2));
  }
}
