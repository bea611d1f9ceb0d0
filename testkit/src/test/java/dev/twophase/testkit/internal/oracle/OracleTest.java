package dev.twophase.testkit.internal.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.job.RecordedInput;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Test;

/** The oracle is given what a correct sink would show, changed in one way. */
class OracleTest {

  private static final SinkClaims ORDERED = SinkClaims.exactlyOnce().withOrder(OrderScope.KEY);

  private final RecordedInput input = new RecordedInput(6, 4);
  private final List<TestRecord> visible = new ArrayList<>(input.durableRecords());

  private List<Verdict> judgeSettled(SinkClaims claims) {
    Oracle oracle = new Oracle(claims, true);
    oracle.judgeSettled(visible, input.log());
    return oracle.anomalies().stream().map(Anomaly::verdict).toList();
  }

  @Test
  void exactlyWhatIsDurablePasses() {
    assertThat(judgeSettled(ORDERED)).isEmpty();
  }

  @Test
  void aDroppedRecordIsLoss() {
    visible.remove(2);
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.LOSS);
    assertThat(judgeSettled(ORDERED.withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)))
        .containsExactly(Verdict.LOSS);
    assertThat(judgeSettled(ORDERED.withGuarantee(DeliveryGuarantee.NONE))).isEmpty();
  }

  @Test
  void aDoubledRecordIsDuplicate() {
    visible.add(visible.get(1));
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.DUPLICATE);
    assertThat(judgeSettled(ORDERED.withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE))).isEmpty();
  }

  @Test
  void anIdReplacedByAnotherOfTheSameCountIsBothLossAndDuplicate() {
    visible.set(0, visible.get(2));
    assertThat(judgeSettled(SinkClaims.exactlyOnce()))
        .containsExactly(Verdict.DUPLICATE, Verdict.LOSS);
  }

  @Test
  void swappedRecordsOfAKeyAreReorder() {
    TestRecord first = visible.get(0);
    visible.set(0, visible.get(2));
    visible.set(2, first);
    assertThat(first.key()).isEqualTo(visible.get(0).key());
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.REORDER);
    assertThat(judgeSettled(SinkClaims.exactlyOnce())).isEmpty();
  }

  @Test
  void R5_aCopyOfAnAbandonedAttemptIsResurrected() {
    TestRecord copy = visible.get(1);
    visible.set(1, copy.deliveredTo(copy.attempt() + 1));
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.RESURRECTED);
    assertThat(judgeSettled(ORDERED.withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE))).isEmpty();
  }

  @Test
  void aCopyThatDoesNotSayWhoseItIsPasses() {
    TestRecord copy = visible.get(1);
    visible.set(1, new TestRecord(copy.id(), copy.key(), copy.sequence()));
    assertThat(judgeSettled(ORDERED)).isEmpty();
  }

  @Test
  void V1_partOfADeclaredUnitIsTorn() {
    visible.remove(visible.size() - 1);
    Oracle oracle = new Oracle(ORDERED.withUnit(AtomicUnit.TRANSACTION), true);
    oracle.judge(visible, input.log(), () -> "now");
    assertThat(oracle.anomalies()).extracting(Anomaly::verdict).containsExactly(Verdict.TORN);

    Oracle undeclared = new Oracle(ORDERED, true);
    undeclared.judge(visible, input.log(), () -> "now");
    assertThat(undeclared.anomalies()).isEmpty();
  }

  @Test
  void aRecordThatNoCheckpointHoldsIsEarly() {
    visible.add(input.log().record(5));
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.EARLY);
    assertThat(judgeSettled(ORDERED.withGuarantee(DeliveryGuarantee.AT_LEAST_ONCE))).isEmpty();
  }

  @Test
  void aChangedPayloadIsCorrupt() {
    TestRecord record = visible.get(3);
    visible.set(3, new TestRecord(record.id(), record.key(), record.sequence() + 1));
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.CORRUPT);
  }

  @Test
  void anIdThatWasNeverWrittenIsCorrupt() {
    visible.add(TestRecord.ofId(7));
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.CORRUPT);
    assertThat(judgeSettled(ORDERED.withGuarantee(DeliveryGuarantee.NONE)))
        .containsExactly(Verdict.CORRUPT);
  }

  @Test
  void aChangedRecordIsShownBesideWhatWasWritten() {
    TestRecord record = visible.get(0);
    visible.set(0, new TestRecord(record.id(), "other", 7));
    assertThat(found(Verdict.CORRUPT))
        .contains("what was written has key " + record.key() + ", sequence " + record.sequence());
    visible.set(0, TestRecord.ofId(70));
    assertThat(found(Verdict.CORRUPT)).contains("none with such an id was written, only 1 to 6");
  }

  @Test
  void aLossTellsWhatIsVisibleInstead() {
    visible.subList(1, visible.size()).clear();
    visible.add(visible.get(0));
    String record = "id 1 (key " + visible.get(0).key() + ", sequence 0)";
    assertThat(found(Verdict.LOSS))
        .isEqualTo(
            "held by a completed checkpoint and not visible, where this is: "
                + record
                + ", "
                + record);
    visible.clear();
    assertThat(found(Verdict.LOSS)).contains("where nothing is (does readVisible look");
    visible.add(TestRecord.fromText("hello 1"));
    assertThat(found(Verdict.LOSS))
        .contains("unreadable 'hello 1'")
        .endsWith("(none of it was written: does readVisible read what input(...) makes?)");
  }

  private String found(Verdict verdict) {
    Oracle oracle = new Oracle(ORDERED, true);
    oracle.judgeSettled(visible, input.log());
    return oracle.anomalies().stream()
        .filter(each -> each.verdict() == verdict)
        .map(Anomaly::found)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void idsAloneSuffice() {
    visible.replaceAll(record -> TestRecord.ofId(record.id()));
    assertThat(judgeSettled(ORDERED)).isEmpty();
    visible.remove(0);
    assertThat(judgeSettled(ORDERED)).containsExactly(Verdict.LOSS);
  }
}
