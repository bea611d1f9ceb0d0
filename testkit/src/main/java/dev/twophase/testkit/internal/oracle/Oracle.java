package dev.twophase.testkit.internal.oracle;

import dev.twophase.testkit.AtomicUnit;
import dev.twophase.testkit.OrderScope;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.job.InputLog;
import dev.twophase.testkit.internal.job.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * Compares a read with what it may and must show. What is visible must have been written, once and
 * unchanged, and be held by a stored checkpoint of the surviving lineage; after settling, all of
 * that must be visible. Between these bounds anything is legal while a commit is under way, and
 * what the sink does not claim is not held against it.
 *
 * <p>Only the first sighting of each kind of anomaly is kept.
 */
public final class Oracle {

  private boolean oncePromised;
  private final boolean completenessPromised;
  private final boolean orderPromised;
  private final AtomicUnit unit;
  private final List<Anomaly> anomalies = new ArrayList<>(0);
  private final BitSet seen = new BitSet();

  /** Visible in the read before the last, and not in the last. */
  private final BitSet gone = new BitSet();

  private final Map<String, Long> newest = new HashMap<>();

  /** What has been judged of the last read: of an equal beginning nothing new can be said. */
  private TestRecord[] judged = new TestRecord[16];

  private int judgedCount;

  /** How many spans were held when it was last judged whether they are visible as a whole. */
  private int judgedUnits;

  private final BitSet missingOfUnit = new BitSet();

  /**
   * @param keyed whether the input keeps the order of a key; no sink can mend what it does not
   */
  public Oracle(SinkClaims claims, boolean keyed) {
    this(
        claims.guarantee() == DeliveryGuarantee.EXACTLY_ONCE,
        claims.guarantee() != DeliveryGuarantee.NONE,
        keyed
            && claims.guarantee() == DeliveryGuarantee.EXACTLY_ONCE
            && claims.order() == OrderScope.KEY,
        claims.unit());
  }

  private Oracle(
      boolean oncePromised, boolean completenessPromised, boolean orderPromised, AtomicUnit unit) {
    this.oncePromised = oncePromised;
    this.completenessPromised = completenessPromised;
    this.orderPromised = orderPromised;
    this.unit = unit;
  }

  /**
   * Judges a read at any moment.
   *
   * @param moment describes it; only asked for if something is wrong
   */
  public void judge(List<TestRecord> visible, InputLog input, Supplier<String> moment) {
    BitSet allowed = input.everDurable();
    int size = visible.size();
    boolean anew = !beginsAsJudged(visible);
    gone.clear();
    if (anew) {
      judgedCount = 0;
      gone.or(seen);
      seen.clear();
      newest.clear();
    }
    int before = judgedCount;
    if (size > judged.length) {
      judged = Arrays.copyOf(judged, size * 2);
    }
    for (int i = judgedCount; i < size; i++) {
      TestRecord record = visible.get(i);
      judged[i] = record;
      if (!isGenuine(record, input)) {
        report(Verdict.CORRUPT, record, moment, whatWasWritten(record, input));
        continue;
      }
      int id = (int) record.id();
      boolean abandoned =
          oncePromised && record.attempt() != TestRecord.UNKNOWN && input.isAbandoned(record);
      if (abandoned) {
        report(
            Verdict.RESURRECTED,
            record,
            moment,
            "visible in the copy that attempt "
                + record.attempt()
                + " was given, from which the job has gone back");
      }
      if (seen.get(id)) {
        if (oncePromised) {
          report(Verdict.DUPLICATE, record, moment, "visible more than once");
        }
        continue;
      }
      seen.set(id);
      if (oncePromised && !abandoned && !allowed.get(id)) {
        report(Verdict.EARLY, record, moment, "visible before a completed checkpoint holds it");
      }
      if (orderPromised) {
        judgeOrder(record, moment);
      }
    }
    judgedCount = size;
    if (anew) {
      gone.andNot(seen);
    }
    if (unit != AtomicUnit.NONE && (anew || size > before || input.held().size() > judgedUnits)) {
      judgedUnits = input.held().size();
      judgeUnits(input, moment);
    }
  }

  private void judgeUnits(InputLog input, Supplier<String> moment) {
    for (int i = 0; i < input.held().size(); i++) {
      Span span = input.held().get(i);
      if (unit == AtomicUnit.TRANSACTION && !span.records().intersects(seen)) {
        continue;
      }
      BitSet missing = missingOfUnit;
      missing.clear();
      missing.or(span.records());
      if (unit == AtomicUnit.CHECKPOINT) {
        for (Span other : input.held()) {
          if (other.checkpoint() == span.checkpoint()) {
            missing.or(other.records());
          }
        }
      }
      boolean partly = missing.intersects(seen);
      missing.andNot(seen);
      if (partly && !missing.isEmpty()) {
        reportTorn(input.records(missing), moment);
        return;
      }
    }
  }

  private void reportTorn(List<TestRecord> missing, Supplier<String> moment) {
    if (firstOf(Verdict.TORN)) {
      anomalies.add(
          new Anomaly(
              Verdict.TORN,
              missing,
              moment.get(),
              "not visible, though others of the same "
                  + unit.name().toLowerCase(Locale.ROOT)
                  + " already were"));
    }
  }

  /**
   * Whether a read begins with all of the one before. What may be visible only grows, so what was
   * legal then still is, and what was not has been reported.
   */
  @SuppressWarnings("ReferenceEquality") // of the same instance it need not be asked
  private boolean beginsAsJudged(List<TestRecord> visible) {
    if (visible.size() < judgedCount) {
      return false;
    }
    for (int i = 0; i < judgedCount; i++) {
      TestRecord record = visible.get(i);
      if (record != judged[i] && !record.equals(judged[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isGenuine(TestRecord record, InputLog input) {
    if (record.id() < 1 || record.id() > input.size()) {
      return false;
    }
    if (record.key().isEmpty()) {
      return true;
    }
    TestRecord written = input.record(record.id());
    return record.sequence() == written.sequence() && record.key().equals(written.key());
  }

  private static String whatWasWritten(TestRecord record, InputLog input) {
    if (record.id() < 1 || record.id() > input.size()) {
      return "visible, and none with such an id was written, only 1 to " + input.size();
    }
    TestRecord written = input.record(record.id());
    return "visible in a form in which it was never written: what was written has key "
        + written.key()
        + ", sequence "
        + written.sequence();
  }

  private void judgeOrder(TestRecord record, Supplier<String> moment) {
    Long before = newest.get(record.key());
    if (before != null && before > record.sequence()) {
      report(
          Verdict.REORDER,
          record,
          moment,
          "visible behind sequence " + before + " of its key, which was written after it");
    } else {
      newest.put(record.key(), record.sequence());
    }
  }

  /** Returns what must be visible after settling and is not. */
  public BitSet missing(List<TestRecord> visible, InputLog input) {
    BitSet missing = (BitSet) input.durable().clone();
    if (!completenessPromised) {
      missing.clear();
    }
    for (TestRecord record : visible) {
      if (record.id() >= 1 && record.id() <= input.size()) {
        missing.clear((int) record.id());
      }
    }
    return missing;
  }

  /** Judges the last read, once it has come to rest. */
  public void judgeSettled(List<TestRecord> visible, InputLog input) {
    judge(visible, input, () -> "after settling");
    BitSet missing = missing(visible, input);
    if (!missing.isEmpty()) {
      add(
          new Anomaly(
              Verdict.LOSS,
              input.records(missing),
              "after settling",
              "held by a completed checkpoint and not visible, where "
                  + whatIsThere(visible, input)));
    }
  }

  private static String whatIsThere(List<TestRecord> visible, InputLog input) {
    if (visible.isEmpty()) {
      return "nothing is (does readVisible look where sink(...) writes to?)";
    }
    boolean strange = visible.stream().noneMatch(record -> isGenuine(record, input));
    return "this is: "
        + Printable.of(visible)
        + (strange
            ? " (none of it was written: does readVisible read what input(...) makes?)"
            : "");
  }

  /**
   * From here on a record may be visible more than once: the sink declared so for what happened.
   */
  public void allowDuplicates() {
    oncePromised = false;
  }

  /** Whether the last read lacks a record that the one before it showed. */
  public boolean missesWhatWasVisible() {
    return !gone.isEmpty();
  }

  /** Whether another read shows a record that the last one lacks and the one before it showed. */
  public boolean missesAnyOf(List<TestRecord> other) {
    return other.stream()
        .anyMatch(
            record ->
                record.id() >= 1 && record.id() < gone.length() && gone.get((int) record.id()));
  }

  /** Whether any read that was judged so far showed anything. */
  public boolean sawAnything() {
    return judgedCount > 0;
  }

  /** One that asks for the same, and has judged nothing yet. */
  public Oracle withoutPast() {
    return new Oracle(oncePromised, completenessPromised, orderPromised, unit);
  }

  /** Takes back what was found last. */
  public void forgetSince(int known) {
    anomalies.subList(known, anomalies.size()).clear();
  }

  /** Adds what was found by other means than a read. */
  public void add(Anomaly anomaly) {
    if (firstOf(anomaly.verdict())) {
      anomalies.add(anomaly);
    }
  }

  private void report(
      Verdict verdict, TestRecord record, Supplier<String> moment, String description) {
    if (firstOf(verdict)) {
      anomalies.add(new Anomaly(verdict, List.of(record), moment.get(), description));
    }
  }

  private boolean firstOf(Verdict verdict) {
    for (Anomaly known : anomalies) {
      if (known.verdict() == verdict) {
        return false;
      }
    }
    return true;
  }

  /** All anomalies, the first of each kind. */
  public List<Anomaly> anomalies() {
    return anomalies;
  }
}
