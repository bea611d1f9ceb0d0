package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.internal.run.CrashGrowth;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.store.BrokenConnectors.ForgetsWhatLingers;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Leaks that nobody can list show by what grows over crashes. */
class CrashGrowthTest {

  private record Counted(Function<String, MemoryConnector> connector) implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return connector.apply(setup.namespace());
    }

    @Override
    public OptionalLong leftBehind(String namespace) {
      return OptionalLong.of(MemoryStore.of(namespace).unfinished().size());
    }
  }

  private static List<Judgement> judge(OnMemoryStore sink) {
    return CrashGrowth.schedules(2).stream()
        .map(Schedule::toString)
        .map(SinkKit.of(sink)::replay)
        .toList();
  }

  @Test
  void R2_whatIsOpenAtEachCrashAndNeverAbortedIsALeakThoughItCannotBeListed() {
    Judgement judgement = judge(new Counted(ForgetsWhatLingers::new)).get(0);

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.LEAK);
    assertThat(judgement.rules()).first().isEqualTo("R2");
    assertThat(judgement.why()).contains("after [1, 2, 4, 8] crashes");
  }

  @Test
  void R2_aSinkThatCleansUpDoesNotGrow() {
    assertThat(judge(new Counted(MemoryConnector::new)))
        .hasSize(3)
        .allSatisfy(
            judgement ->
                assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.PASS));
  }

  @Test
  void whatIsNotCountedGoesUnchecked() {
    OnMemoryStore uncounted = setup -> new ForgetsWhatLingers(setup.namespace());

    Judgement judgement = judge(uncounted).get(0);
    assertThat(judgement.verdict()).isEqualTo(Verdict.PASS);
    assertThat(judgement.why()).contains("growth is unchecked", "only after []");
    assertThat(judge(new Counted(MemoryConnector::new)).get(0).why()).isEqualTo("nothing found");
  }
}
