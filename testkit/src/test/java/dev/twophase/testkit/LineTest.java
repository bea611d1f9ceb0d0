package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.ConnectorContext;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.OnMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** R6: the line that a connector gives at a snapshot is what its successors are restored from. */
class LineTest {

  private static final List<OptionalLong> RESTORED = new ArrayList<>();

  private static final class Numbered extends MemoryConnector {

    private static final long serialVersionUID = 1L;

    private long line;

    Numbered(SinkSetup setup) {
      super(setup.namespace());
    }

    @Override
    public void open(ConnectorContext context) {
      super.open(context);
      if (context.role() == ConnectorContext.Role.WRITER) {
        RESTORED.add(context.restoredLine());
        line = context.restoredLine().orElse(40) + 1;
      }
    }

    @Override
    public OptionalLong line() {
      return OptionalLong.of(line);
    }
  }

  private static final OnMemoryStore SINK = Numbered::new;

  @Test
  void R6_lineOfACheckpointReachesTheAttemptsRestoredFromIt() {
    RESTORED.clear();
    Judgement judgement =
        SinkKit.of(SINK)
            .replay(
                "2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.kill; up 1; s0.in 1; s0.bar 2; done 2;"
                    + " s0.kill; up 2,p=2; settle");
    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.PASS);
    assertThat(RESTORED.subList(0, 3))
        .containsExactly(OptionalLong.empty(), OptionalLong.of(41), OptionalLong.of(42));
  }
}
