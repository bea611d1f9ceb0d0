package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
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
  void whatFailsThereIsToldAndDrawn() throws Exception {
    try (ClusterKit kit = ClusterKit.of(ShowsAllTwice.class)) {
      Throwable failure =
          catchThrowable(
              () -> kit.assertPasses("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; settle"));

      assertThat(failure)
          .isInstanceOf(AssertionError.class)
          .hasMessageContainingAll(
              "DUPLICATE", "schedule: 2pk/1", "replay:", "runs:     D2", "report:");
      Matcher report = Pattern.compile("report: +(\\S+)").matcher(failure.getMessage());
      assertThat(report.find()).isTrue();
      Path page = Path.of(report.group(1));
      assertThat(page).content().contains("DUPLICATE", "</svg>");
      assertThat(page.resolveSibling(page.getFileName().toString().replace(".html", ".json")))
          .content()
          .contains("2pk-report/1");
    }
  }

  @Test
  void aConnectorThereNoticesThatTheSystemIsDown() {
    try (ClusterKit kit = ClusterKit.of(OnMemory.class)) {
      kit.assertPasses(
          "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1; ext down; s0.in 1; ext up; up 1; settle");
    }
  }

  @Test
  @Tag("nightly")
  void E1_aSecondSinkBehindTheCommitterEndsHereAsItDoesThere() {
    String line = "2pk/1 p=1; s0.in 1; settle";
    Judgement here = SinkKit.of(new HandsOnUnderTest()).replay(line);
    try (ClusterKit kit = ClusterKit.of(HandsOnUnderTest.class)) {
      Judgement there = kit.replay(line);
      assertThat(here.describe()).isEqualTo(there.describe());
      assertThat(here.verdict()).isEqualTo(Verdict.PASS);
    }
  }

  /** Hands what it has committed to a second sink. */
  public static class HandsOnUnderTest extends ShelfUnderTest {
    @Override
    public Object sink(SinkSetup setup) {
      return new TopologySinks.HandsOn(setup.namespace());
    }
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

  static final class ShowsAllTwice extends ShelfUnderTest {
    @Override
    public List<TestRecord> readVisible(String namespace) {
      List<TestRecord> visible = super.readVisible(namespace);
      return Stream.concat(visible.stream(), visible.stream()).toList();
    }
  }

  static final class OnMemory implements SinkUnderTest<TestRecord> {
    private final MemorySink sink = new MemorySink(MemoryConnector::new);

    @Override
    public Object sink(SinkSetup setup) {
      return sink.sink(setup);
    }

    @Override
    public TestRecord input(TestRecord record) {
      return record;
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      return sink.readVisible(namespace);
    }
  }

  static final class NeedsSomething extends ShelfUnderTest {
    NeedsSomething(String something) {
      assertThat(something).isNotEmpty();
    }
  }
}
