package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExactlyOnceExtensionTest {

  private static final String REPLY_LOST =
      "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle";

  @Nested
  class OfACorrectSink {

    // tag::extension[]
    @RegisterExtension
    static final ExactlyOnceExtension<TestRecord> KIT =
        ExactlyOnceExtension.of(new MemorySink(MemoryConnector::new));

    @TestFactory
    Stream<DynamicNode> isExactlyOnce() {
      return KIT.nodes();
    }

    // end::extension[]

    // tag::schedule[]
    @ScheduleTest("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle")
    void aLostReplyIsNoSecondCommit() {}

    // end::schedule[]

    @ScheduleTest({REPLY_LOST, "2pk/1 p=2; s*.in 1; s*.bar 1; done 1; s*.kill; up 1,p=3; settle"})
    void singleSchedulesPass(Judgement judgement) {
      assertThat(judgement.verdict()).isEqualTo(Verdict.PASS);
    }
  }

  @Nested
  class OfABrokenSink {

    @RegisterExtension
    final ExactlyOnceExtension<TestRecord> kit =
        ExactlyOnceExtension.of(new MemorySink(PublishesAgain::new));

    @ScheduleTest(value = REPLY_LOST, expect = Verdict.DUPLICATE)
    void aKnownMistakeStaysKnown(Judgement judgement) {
      assertThat(judgement.rules()).startsWith("C2");
      assertThat(judgement.records()).isNotEmpty();
    }
  }
}
