package dev.twophase.testkit.internal.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.TransactionId;
import dev.twophase.WriteContext;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Exploration;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.explore.ScriptExploration.PointResult;
import dev.twophase.testkit.internal.run.Replay;
import dev.twophase.testkit.internal.run.Subject;
import dev.twophase.testkit.schedule.Schedule;
import dev.twophase.testkit.store.BrokenConnectors.PublishesAgain;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.OnMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
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

  @Test
  void everyFindingIsShortened() {
    Subject<?> subject = new Subject<>(new MemorySink(WritesTwice::new));
    Bound bound = new Bound(1, 2, 1, Duration.ofMinutes(5));
    Exploration exploration = new Explorer(subject, bound).exploreAll();

    assertThat(exploration.refuted()).isGreaterThan(100);
    assertThat(exploration.findings()).isNotEmpty();
    Replay replay = new Replay(subject);
    for (Judgement finding : exploration.findings()) {
      assertThat(new Shrinker(replay, finding).shrink().schedule()).isEqualTo(finding.schedule());
    }
  }

  @Test
  void aDefectIsFoundOnceWhateverKindOfSourceShowsIt() {
    List<Judgement> found = findings(WritesTwice::new);

    assertThat(found).singleElement().asString().doesNotContain("src=");
  }

  /** With one subtask there is nothing to tell. */
  @Test
  void aFindingOfSeveralSubtasksNamesTheOtherKindsOfSource() {
    List<Judgement> found = findings(SecondSubtaskWritesTwice::new);

    assertThat(found)
        .singleElement()
        .extracting(Judgement::why)
        .asString()
        .endsWith("; the same with src=fwd and src=rebal");
  }

  /** All that is reported as new when nothing goes wrong, script after script. */
  private static List<Judgement> findings(Function<String, MemoryConnector> connector) {
    Bound bound = Bound.oneFault().withFaults(0).withCheckpoints(1);
    Explorer explorer = new Explorer(new Subject<>(new MemorySink(connector)), bound);
    return explorer.explorations().stream()
        .flatMap(script -> script.points().stream().map(script::explore))
        .flatMap(result -> result.findings().stream())
        .toList();
  }

  @Test
  void theSimplestComesFirst() {
    List<Judgement> found = new ArrayList<>();
    for (String line :
        List.of(
            "2pk/1 p=2 src=fwd; s0.in 1; s0.bar 1; s1.up none; s0.nab 1; settle",
            "2pk/1 p=1; s0.in 1; s0.bar 1; abt 1; s0.nab 1; settle",
            "2pk/1 p=1; s0.in 1; settle")) {
      found.add(
          new Judgement(
              Schedule.parse(line), Verdict.LOSS, Set.of(Verdict.LOSS), List.of(), List.of(), ""));
    }
    found.sort(Findings.SIMPLEST);

    assertThat(found)
        .extracting(each -> each.schedule().toString())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("p=1; s0.in 1; settle"),
            line -> assertThat(line).contains("abt 1"),
            line -> assertThat(line).contains("up none"));
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

  private static final class SecondSubtaskWritesTwice extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    SecondSubtaskWritesTwice(String namespace) {
      super(namespace);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      super.write(transaction, record, context);
      if (transaction.subtask() == 1) {
        super.write(transaction, record, context);
      }
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
