package dev.twophase.gallery;

import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** How many schedules a second a real cluster runs, and whether it accuses a correct sink. */
final class ClusterSpeed {

  private static final int ROUNDS = 10;

  private static final List<String> LINES =
      List.of(
          "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.ntf 1; s*.in 2; s*.bar 2; done 2; s0.kill; up 2;"
              + " settle",
          "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=K; s1.ntf 1; up 1; s*.in 2;"
              + " s*.bar 2; done 2; s*.ntf 2; settle",
          "2pk/1 p=2; s*.in 2; s*.bar 1; abt 1; s*.nab 1; s*.in 2; s*.bar 2; done 2; s*.ntf 2;"
              + " settle",
          "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=1; settle",
          "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.kill; s0.up 1; s*.in 2; s*.bar 2; done"
              + " 2; s*.ntf 2; settle",
          "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 2; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail; up"
              + " 2; settle");

  private int schedules;
  private int accusations;
  private int inconclusive;
  private double perSecond;

  /** Runs each line once to warm up, then all of them again and again. */
  void measure() {
    try (ClusterKit kit = ClusterKit.of(ReferenceSink.class)) {
      LINES.forEach(kit::replay);
      long begun = System.nanoTime();
      for (int round = 0; round < ROUNDS; round++) {
        for (String line : LINES) {
          count(kit.replay(line));
        }
      }
      perSecond = schedules * 1e9 / (System.nanoTime() - begun);
    }
  }

  private void count(Judgement judgement) {
    if (judgement.verdict() == Verdict.PASS) {
      schedules++;
      return;
    }
    accusations += judgement.verdict().accuses() ? 1 : 0;
    inconclusive += judgement.verdict() == Verdict.INCONCLUSIVE ? 1 : 0;
    System.out.println("cluster: " + judgement.describe());
  }

  /** Those that passed; one that proves nothing takes time and does not count. */
  double perSecond() {
    return perSecond;
  }

  int accusations() {
    return accusations;
  }

  int inconclusive() {
    return inconclusive;
  }

  /** Sink V2 by hand, as another process makes it. */
  public static final class ReferenceSink implements SinkUnderTest<TestRecord> {

    private final GallerySink sink = CorrectSinks.SINK_V2;

    @Override
    public SinkClaims claims() {
      return sink.claims();
    }

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

    @Override
    public Optional<Collection<?>> unfinished(String namespace) {
      return sink.unfinished(namespace);
    }

    @Override
    public void cleanUp(String namespace) {
      sink.cleanUp(namespace);
    }
  }
}
