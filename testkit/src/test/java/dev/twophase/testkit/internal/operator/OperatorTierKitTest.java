package dev.twophase.testkit.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules of the kit, executed on the operator tier. */
class OperatorTierKitTest {

  private static Judgement judge(Function<String, Object> sink, String line) {
    return SinkKit.of(
            new SinkUnderTest<String>() {
              @Override
              public Object sink(SinkSetup setup) {
                return sink.apply(setup.namespace());
              }

              @Override
              public String input(TestRecord record) {
                return record.asText();
              }

              @Override
              public List<TestRecord> readVisible(String namespace) {
                return Shelf.of(namespace).visible().stream().map(TestRecord::fromText).toList();
              }
            })
        .replay(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.ntf 1; settle",
        "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !commit#1=A; s0.kill; s0.up 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail; up 2; settle",
        "2pk/1 p=1; s0.in 2; s0.bar 1; doubt 1; s0.nab 1; s0.kill; up 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4 !s1:commit#1=K; s*.kill; up 1,p=1; settle",
      })
  void aCorrectSinkPasses(String line) {
    Judgement judgement = judge(ShelfSink::new, line);
    assertThat(judgement.verdict()).as("%s", judgement).isEqualTo(Verdict.PASS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.ntf 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1; s*.kill; up 1; s*.in 1; settle",
        "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4; s*.kill; up 1,p=1; settle",
      })
  void aCorrectTwoPhaseFunctionPasses(String line) {
    Judgement judgement = judge(ShelfFunction::new, line);
    assertThat(judgement.verdict()).as("%s", judgement).isEqualTo(Verdict.PASS);
  }

  @Test
  void C1_aSinkThatCommitsBeforeTheCheckpointIsRefuted() {
    Judgement judgement =
        judge(Hasty::new, "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.ntf 1; settle");
    assertThat(judgement.verdict()).isEqualTo(Verdict.EARLY);
  }

  /** Commits when it prepares. */
  private static final class Hasty extends ShelfFunction {
    Hasty(String shelf) {
      super(shelf);
    }

    @Override
    protected void preCommit(Open transaction) {
      super.preCommit(transaction);
      commit(transaction);
    }
  }

  @Test
  void unionStateReachesEverySubtaskAtEveryRestore() {
    List<Integer> seen = new ArrayList<>();
    UnionFunction.SEEN.set(seen);
    judge(
        UnionFunction::new,
        "2pk/1 p=2 src=fwd; s*.in 1; s*.bar 1; done 1; s*.kill; up 1; s0.kill; s0.up 1; settle");
    UnionFunction.SEEN.remove();
    assertThat(seen).startsWith(2, 2, 2);
  }

  /** Counts what it finds in its union state. */
  private static final class UnionFunction extends ShelfFunction {

    static final ThreadLocal<List<Integer>> SEEN = new ThreadLocal<>();

    private transient ListState<String> union;

    UnionFunction(String shelf) {
      super(shelf);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      super.initializeState(context);
      union =
          context
              .getOperatorStateStore()
              .getUnionListState(new ListStateDescriptor<>("union", String.class));
      if (context.isRestored()) {
        int count = 0;
        for (String ignored : union.get()) {
          count++;
        }
        SEEN.get().add(count);
      }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      super.snapshotState(context);
      union.update(List.of("mine"));
    }
  }
}
