package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.Unfinished;
import dev.twophase.WriteContext;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.MemoryStore;
import dev.twophase.testkit.store.OnMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a reader shows once, and not when it is asked again at once, accuses nobody. */
class FlakyReaderTest {

  private static final String LINE =
      "2pk/1 p=1; s0.in 2; s0.bar 1; done 1; s0.ntf 1; s0.in 1; s0.bar 2; done 2; s0.ntf 2; settle";

  private static final int MORE_THAN_ALL_READS = 40;

  /** Reads wrongly the n-th time that there is something to read, and rightly ever else. */
  private static final class Flaky implements OnMemoryStore {
    private final int wrongAt;
    private final UnaryOperator<List<TestRecord>> wrongly;
    private int reads;

    Flaky(int wrongAt, UnaryOperator<List<TestRecord>> wrongly) {
      this.wrongAt = wrongAt;
      this.wrongly = wrongly;
    }

    @Override
    public Object sink(SinkSetup setup) {
      return new MemoryConnector(setup.namespace());
    }

    @Override
    public List<TestRecord> readVisible(String namespace) {
      List<TestRecord> visible = MemoryStore.of(namespace).visible();
      return !visible.isEmpty() && ++reads == wrongAt ? wrongly.apply(visible) : visible;
    }
  }

  private static List<Judgement> eachReadWrong(UnaryOperator<List<TestRecord>> wrongly) {
    return IntStream.rangeClosed(1, MORE_THAN_ALL_READS)
        .mapToObj(read -> SinkKit.of(new Flaky(read, wrongly)).replay(LINE))
        .toList();
  }

  private static void assertReaderBlamed(List<Judgement> judgements) {
    assertThat(judgements)
        .noneMatch(judgement -> judgement.verdict().accuses())
        .filteredOn(judgement -> judgement.verdict() == Verdict.INCONCLUSIVE)
        .isNotEmpty()
        .allSatisfy(judgement -> assertThat(judgement.why()).contains("readVisible(...)"));
  }

  @Test
  void aCopyThatIsSeenOnceIsNoDuplicate() {
    assertReaderBlamed(
        eachReadWrong(
            visible -> {
              List<TestRecord> more = new ArrayList<>(visible);
              more.add(visible.get(0));
              return more;
            }));
  }

  @Test
  void aRecordThatIsSeenOnceIsNotEarlyNorCorrupt() {
    assertReaderBlamed(
        eachReadWrong(
            visible -> {
              List<TestRecord> more = new ArrayList<>(visible);
              more.add(new TestRecord(1_000, "k0", 1_000));
              return more;
            }));
  }

  @Test
  void aRecordThatIsGoneInOneReadOnlyIsNotPassedOver() {
    assertReaderBlamed(eachReadWrong(visible -> visible.subList(0, visible.size() - 1)));
  }

  @Test
  void C1_whatIsVisibleEarlyUntilAnAbortHidesItIsEarlyAllTheSame() {
    Judgement judgement =
        SinkKit.of(new MemorySink(HidesOnAbort::new)).replay("2pk/1 p=1; s0.in 1; s0.fail");

    assertThat(judgement.verdict()).as(judgement.describe()).isEqualTo(Verdict.EARLY);
    assertThat(judgement.found()).containsExactly(Verdict.EARLY);
  }

  private static final class HidesOnAbort extends MemoryConnector {
    private static final long serialVersionUID = 1L;

    HidesOnAbort(String namespace) {
      super(namespace);
    }

    @Override
    public void write(TransactionId transaction, TestRecord record, WriteContext context)
        throws Exception {
      super.write(transaction, record, context);
      store.publish(record);
    }

    @Override
    public CommitOutcome commit(TransactionId id, String handle) throws Exception {
      hide(id);
      return super.commit(id, handle);
    }

    @Override
    public void abort(TransactionId transaction) {
      hide(transaction);
      super.abort(transaction);
    }

    @Override
    public void abort(Unfinished transaction) {
      hide(transaction.id());
      super.abort(transaction);
    }

    private void hide(TransactionId id) {
      List<TestRecord> records = store.records(id);
      store.visible().removeAll(records == null ? List.of() : records);
    }
  }
}
