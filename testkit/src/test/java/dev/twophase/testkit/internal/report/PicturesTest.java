package dev.twophase.testkit.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.Explorer;
import dev.twophase.testkit.internal.run.CrashGrowth;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.store.BrokenConnectors.BlackHole;
import dev.twophase.testkit.store.BrokenConnectors.CommitsInPreCommit;
import dev.twophase.testkit.store.BrokenConnectors.FailsWhenAlreadyCommitted;
import dev.twophase.testkit.store.BrokenConnectors.ForgetsWhatLingers;
import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opens reports in a browser: a page that is well-formed may still show nothing. */
class PicturesTest {

  private static Browser browser;

  enum Scene {
    REPLY_LOST(PublishesAgain::new, Verdict.DUPLICATE, FailureReportTest.DUPLICATES),
    NOTHING_KEPT(
        BlackHole::new,
        Verdict.LOSS,
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=3; s*.in 1; s*.bar 2; done 2; s*.ntf"
            + " 2; settle"),
    ZOMBIE(
        CommitsInPreCommit::new,
        Verdict.DUPLICATE,
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; s0.lose; s0.up none; s0@0.in 2; s0@0.bar 2; settle"),
    STUCK(
        FailsWhenAlreadyCommitted::new,
        Verdict.WEDGE,
        "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle");

    final MemorySink sink;
    final Verdict verdict;
    final String line;

    Scene(Function<String, ? extends MemoryConnector> connector, Verdict verdict, String line) {
      this.sink = new MemorySink(connector);
      this.verdict = verdict;
      this.line = line;
    }
  }

  @BeforeAll
  static void findBrowser() {
    Assumptions.assumeTrue(
        Browser.installed().isPresent(), "no browser on the PATH: install chromium to run this");
    browser = Browser.installed().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Scene.class)
  void reportsCanBeSeenInLightAndDark(Scene scene) throws Exception {
    Judgement found = SinkKit.of(scene.sink).replay(scene.line);
    assertThat(found.verdict()).isEqualTo(scene.verdict);
    Path page =
        new Reporter(new Subject<>(scene.sink), "sink of the scene " + scene)
            .write(
                found, "-Dtwophase.schedule='" + scene.line + "'", ReportFolder.of("PicturesTest"));

    assertSeen(page, scene.name());
  }

  @Test
  void whatGrowsWithEachCrashCanBeSeenInLightAndDark() throws Exception {
    OnMemoryStore sink = new Forgetful();
    String line = CrashGrowth.schedules(1).get(0).toString();
    Judgement found = SinkKit.of(sink).replay(line);
    assertThat(found.verdict()).isEqualTo(Verdict.LEAK);

    Path page =
        new Reporter(new Subject<>(sink), "sink of the scene GROWS")
            .write(found, "-Dtwophase.schedule='" + line + "'", ReportFolder.of("PicturesTest"));
    assertThat(page).content().contains("after 1 crash<", "after 8 crashes<");
    assertSeen(page, "GROWS");
  }

  private record Forgetful() implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return new ForgetsWhatLingers(setup.namespace());
    }

    @Override
    public OptionalLong leftBehind(String namespace) {
      return OptionalLong.of(MemoryStore.of(namespace).unfinished().size());
    }
  }

  @Test
  void theSummaryOfARunCanBeSeenInLightAndDark() throws Exception {
    Explorer explorer =
        new Explorer(new Subject<>(Scene.REPLY_LOST.sink), Bound.oneFault().withParallelism(1));
    Exploration exploration = explorer.exploreAll();

    Repetition repeated = Repetition.of(new Subject<>(Scene.REPLY_LOST.sink), explorer.faultless());
    assertSeen(
        ReportFolder.of("PicturesTest")
            .write("a sink", exploration, repeated, explorer.coverage(), "1 schedule"),
        "SUMMARY");
  }

  private static void assertSeen(Path page, String name) throws Exception {
    for (boolean dark : new boolean[] {false, true}) {
      Path png = page.resolveSibling(name + (dark ? "-dark" : "-light") + ".png");
      BufferedImage image =
          ImageIO.read(browser.picture(page, png.toAbsolutePath(), dark, 1400, 1500).toFile());
      boolean darkCorner = (image.getRGB(3, 3) & 0xFF) < 0x80;
      assertThat(darkCorner).as("dark background").isEqualTo(dark);
      assertThat(distinctColours(image)).isGreaterThan(20);
    }
  }

  private static long distinctColours(BufferedImage image) {
    return IntStream.range(0, image.getHeight() / 3)
        .flatMap(y -> IntStream.range(0, image.getWidth() / 3).map(x -> image.getRGB(x * 3, y * 3)))
        .distinct()
        .count();
  }
}
