package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.Verdict;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterTierTest {

  private static ClusterKit kit;

  @BeforeAll
  static void open() {
    kit = ClusterKit.of(ShelfUnderTest.class);
  }

  @AfterAll
  static void close() {
    kit.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=1; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1; s*.in 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=K; s1.ntf 1; up 1; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.kill; s0.up 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail; up"
            + " 2; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; abt 1; s*.nab 1; s*.in 1; s*.bar 2; done 2; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4; s*.kill; up 1,p=1; settle",
        "2pk/1 p=2; s*.in 2; s*.eoi; s*.bar 1; done 1; s0.ntf 1; s1.fail; up 1; settle",
        "2pk/1 p=2; s*.in 1; s0.bar 1 !prepareCommit#1=E; up none; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.in 1; sav a1; s*.ntf 1; s*.kill; up 1; settle",
        "2pk/1 p=2; s*.in 2; sav a1; s*.in 1; up a1,p=3; s*.in 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.ntf 1; s*.in 1; stop a1; up a1,p=4; settle",
        "2pk/1 p=2; s*.in 2; stop a1,drain; up a1; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; doubt 1; s0.nab 1; s0.kill; up 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.in 1; s*.bar 2; doubt 2; s*.nab 2; s0.fail; up 1;"
            + " settle",
        "2pk/1 p=1; s0.in 2; clk 1000; s0.bar 1; done 1; clk 2000; s0.kill; up 1; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.lose; s0.up 1; s0@0.ntf 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.lose; up 1; s0@0.in 1; s0@0.bar 2; s*.in 1; s*.bar"
            + " 2; done 2; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=D; s0.up 1; s0@0.in 1;"
            + " settle",
      })
  void aCorrectSinkPassesOnARealCluster(String line) {
    assertThat(kit.replay(line))
        .returns(Verdict.PASS, Judgement::verdict)
        .satisfies(judgement -> assertThat(judgement.why()).isEqualTo("nothing found"));
  }
}
