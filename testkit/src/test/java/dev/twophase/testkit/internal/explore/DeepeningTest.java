package dev.twophase.testkit.internal.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeepeningTest {

  private static final Bound TWO_FAULTS = new Bound(2, 1, 1, Duration.ofMinutes(5));

  private static Explorer explorer(Bound bound) {
    return new Explorer(new Subject<>(new MemorySink(MemoryConnector::new)), bound);
  }

  private static void run(ScriptExploration exploration) {
    exploration.points().forEach(exploration::explore);
  }

  @Test
  void schedulesOfOneFaultComeBeforeThoseOfTwoAndAreCompleteWhenThoseBegin() {
    Explorer explorer = explorer(TWO_FAULTS);
    List<ScriptExploration> all = explorer.explorations();
    List<ScriptExploration> first =
        all.stream().takeWhile(each -> !each.name().contains("2 faults")).toList();

    first.forEach(DeepeningTest::run);
    Exploration oneFault = explorer(TWO_FAULTS.withFaults(1)).exploreAll();

    assertThat(explorer.result().completed()).isEqualTo(1);
    assertThat(explorer.result().schedules()).isEqualTo(oneFault.schedules());
    assertThat(explorer.result().distinct()).isEqualTo(oneFault.distinct());
    assertThat(all).hasSizeGreaterThan(first.size());
  }

  @Test
  void aBudgetThatEndsEarlyLeavesOutRepetitionsAndNoClassOfPoints() {
    List<String> classes =
        explorer(Bound.oneFault()).explorations().get(0).points().stream()
            .map(FaultPoint::point)
            .filter(Objects::nonNull)
            .map(point -> point.cell().toString())
            .toList();
    int distinct = Set.copyOf(classes).size();

    assertThat(classes.subList(0, distinct)).doesNotHaveDuplicates();
    assertThat(classes.indexOf("commit in ntf")).isLessThan(classes.indexOf("write in in"));
    assertThat(classes).hasSizeGreaterThan(distinct);
  }

  @Test
  void bothTogetherExhaustTwoFaults() {
    Exploration exploration = explorer(TWO_FAULTS).exploreAll();

    assertThat(exploration.exhausted()).as(exploration.describe()).isTrue();
    assertThat(exploration.completed()).isEqualTo(2);
    assertThat(exploration.unreached()).isEmpty();
  }

  @Test
  void aBudgetThatIsUsedUpAtOnceCompletesNothing() {
    Exploration exploration = explorer(TWO_FAULTS.withBudget(Duration.ZERO)).exploreAll();

    assertThat(exploration.cutShort()).isTrue();
    assertThat(exploration.completed()).isEqualTo(-1);
    assertThat(exploration.unreached()).contains("commit in ntf", "preCommit in bar", "ntf in job");
    assertThat(exploration.describe())
        .startsWith("not exhausted")
        .contains(" per second)", "never reached: [")
        .doesNotContain("complete up to");
  }
}
