package dev.twophase.testkit.internal.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuspectsTest {

  @Test
  void aRefutationThatDoesNotRepeatDoesNotHideOneThatDoes() {
    WrongOnce sink = new WrongOnce();
    int index = indexOfPointRefutedByALostReply(firstScript(sink));
    ScriptExploration script = firstScript(sink);
    FaultPoint point = script.points().get(index);
    sink.armed = true;

    PointResult result = script.explore(point);

    assertThat(sink.wrongIn).isNotEmpty();
    assertThat(result.refuted()).isGreaterThan(1);
    assertThat(result.findings())
        .extracting(finding -> finding.schedule().toString())
        .anySatisfy(line -> assertThat(line).contains("=A"));
  }

  private static ScriptExploration firstScript(SinkUnderTest<?> sink) {
    Bound bound = new Bound(1, 1, 1, Duration.ofMinutes(5));
    return new Explorer(new Subject<>(sink), bound).explorations().get(0);
  }

  /** There an error comes first, and is survived, and then a lost reply, which is not. */
  private static int indexOfPointRefutedByALostReply(ScriptExploration script) {
    List<FaultPoint> points = script.points();
    for (int i = 0; i < points.size(); i++) {
      PointResult result = script.explore(points.get(i));
      if (result.findings().stream().anyMatch(each -> each.schedule().toString().contains("=A"))) {
        return i;
      }
    }
    throw new AssertionError("none of " + points);
  }

  /** Publishes again whenever a reply was lost, and writes everything twice in one run. */
  private static final class WrongOnce implements OnMemoryStore {
    private boolean armed;
    private String wrongIn = "";

    @Override
    public Object sink(SinkSetup setup) {
      if (armed) {
        armed = false;
        wrongIn = setup.namespace();
      }
      return wrongIn.equals(setup.namespace())
          ? new WritesTwice(setup.namespace())
          : new PublishesAgain(setup.namespace());
    }
  }

  private static final class WritesTwice extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    WritesTwice(String namespace) {
      super(namespace);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      super.write(transaction, record, context);
      super.write(transaction, record, context);
    }
  }
}
