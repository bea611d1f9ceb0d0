package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The process of the cluster tier: what happens to it happens to nobody else. */
class ForkTest {

  @Test
  void aProcessThatDiesMakesAScheduleInconclusiveAndIsReplaced() {
    try (ClusterKit kit = ClusterKit.of(EndsTheProcess.class)) {
      Judgement judgement = kit.replay("2pk/1 p=1; settle");

      assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
      assertThat(judgement.why()).contains("twice in a row", "exit code 239");
    }
  }

  @Test
  void theSameTextRunsOnARealClusterInAProcessOfItsOwn() {
    // tag::cluster[]
    try (ClusterKit kit = ClusterKit.of(ShelfUnderTest.class)) {
      Judgement judgement =
          kit.replay("2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4; settle");
      assertThat(judgement.verdict()).isEqualTo(Verdict.PASS);
    }
    // end::cluster[]
  }

  @Test
  void theProcessEndsWithItsParent() throws Exception {
    ProcessHandle child = childOfAParentThatIsKilled();

    child.onExit().get(30, TimeUnit.SECONDS);
    assertThat(child.isAlive()).isFalse();
  }

  private static ProcessHandle childOfAParentThatIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(parent.inputReader().lines().anyMatch("ready"::equals)).isTrue();
      List<ProcessHandle> children = parent.toHandle().children().toList();
      assertThat(children).hasSize(1);
      return children.get(0);
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void aSinkThatNoOtherProcessCanMakeIsRefused() {
    assertThatThrownBy(() -> ClusterKit.of(NeedsSomething.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no constructor without parameters");
  }

  /** Starts a fork and waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws Exception {
      ClusterKit kit = ClusterKit.of(ShelfUnderTest.class);
      kit.replay("2pk/1 p=1; settle");
      System.out.println("ready");
      System.in.read();
    }
  }

  /** As Flink does when it meets an error that it does not survive. */
  static final class EndsTheProcess extends ShelfUnderTest {
    @Override
    public Object sink(SinkSetup setup) {
      Runtime.getRuntime().halt(239);
      return super.sink(setup);
    }
  }

  static final class NeedsSomething extends ShelfUnderTest {
    NeedsSomething(String something) {
      assertThat(something).isNotEmpty();
    }
  }
}
