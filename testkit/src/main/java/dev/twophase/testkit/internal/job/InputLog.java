package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.schedule.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The input: all records made so far, which of them wait to be replayed, and by which the sink is
 * judged: those held by checkpoints of the surviving lineage. Records are numbered from 1; sets of
 * them are bit sets over these numbers.
 */
public final class InputLog {

  /** Each subtask gets records of this many keys, so that order within a key can be checked. */
  private static final int KEYS_PER_SUBTASK = 2;

  private static final int NAMED_KEYS = 16;

  /** Made once, because maps of keys hash them again and again. */
  private static final List<String> KEYS =
      IntStream.range(0, NAMED_KEYS).mapToObj(key -> "k" + key).toList();

  private final Source source;
  private final List<TestRecord> records = new ArrayList<>();
  private final List<Integer> owners = new ArrayList<>();
  private final List<ArrayDeque<TestRecord>> replay = new ArrayList<>();
  private int[] made;
  private int[] sequences = new int[8];
  private final BitSet everDurable = new BitSet();
  private BitSet durable = new BitSet();
  private final List<Span> held = new ArrayList<>();
  private final List<BitSet> heldByAttempt = new ArrayList<>();

  /** By id of a record: the attempt that has been given it last. */
  private int[] holders = new int[32];

  private int replays;

  InputLog(Source source, int parallelism) {
    this.source = source;
    this.made = new int[parallelism];
    resize(parallelism);
  }

  private void resize(int parallelism) {
    while (replay.size() < parallelism) {
      replay.add(new ArrayDeque<>());
    }
    while (replay.size() > parallelism) {
      replay.remove(replay.size() - 1);
    }
    made = new int[parallelism];
  }

  /** A copy of a record is handed to an attempt of the surviving lineage. */
  void delivered(TestRecord copy) {
    int id = (int) copy.id();
    if (id >= holders.length) {
      holders = Arrays.copyOf(holders, id * 2);
    }
    holders[id] = copy.attempt();
  }

  /** A checkpoint with these spans is stored, or restored. */
  void held(List<Span> spans) {
    for (Span span : spans) {
      if (holds(span)) {
        continue;
      }
      held.add(span);
      while (heldByAttempt.size() <= span.attempt()) {
        heldByAttempt.add(new BitSet());
      }
      heldByAttempt.get(span.attempt()).or(span.records());
    }
  }

  /** Each span is made once, however many checkpoints hold it. */
  @SuppressWarnings("ReferenceEquality")
  private boolean holds(Span span) {
    for (int i = held.size() - 1; i >= 0; i--) {
      if (held.get(i) == span) {
        return true;
      }
    }
    return false;
  }

  /** What attempts were given, barrier by barrier, as far as stored checkpoints hold it. */
  public List<Span> held() {
    return held;
  }

  /**
   * Whether a copy was delivered to an attempt from which the job went back, and is not the one
   * that a stored checkpoint holds.
   */
  public boolean isAbandoned(TestRecord copy) {
    int id = (int) copy.id();
    int attempt = copy.attempt();
    if (attempt < heldByAttempt.size() && heldByAttempt.get(attempt).get(id)) {
      return false;
    }
    return everDurable.get(id) || holders[id] != attempt;
  }

  /** The next record for this subtask: one to be replayed if there is any, else a new one. */
  TestRecord next(int subtask) {
    TestRecord waiting = replay.get(subtask).poll();
    return waiting != null ? waiting : make(subtask);
  }

  /**
   * What an attempt that the job has lost reads on its own: the same records that its successor
   * gets, without taking them away from it. Null if there are none.
   */
  @Nullable TestRecord peek(int subtask, int ahead) {
    int position = 0;
    if (subtask < replay.size()) {
      for (TestRecord waiting : replay.get(subtask)) {
        if (position++ == ahead) {
          return waiting;
        }
      }
    }
    return null;
  }

  private TestRecord make(int subtask) {
    int parallelism = made.length;
    int key = subtask + parallelism * (made[subtask]++ % KEYS_PER_SUBTASK);
    if (key >= sequences.length) {
      sequences = Arrays.copyOf(sequences, key * 2);
    }
    String name = key < NAMED_KEYS ? KEYS.get(key) : "k" + key;
    TestRecord record = new TestRecord(records.size() + 1, name, sequences[key]++);
    records.add(record);
    owners.add(key);
    return record;
  }

  boolean hasReplay(int subtask) {
    return !replay.get(subtask).isEmpty();
  }

  /**
   * Takes the whole input back to a checkpoint: what it does not cover is dealt again, by key to
   * the subtask that owns it now, or round robin to another one than before.
   *
   * @return per subtask, what is behind it
   */
  List<BitSet> rewindAll(BitSet covered, int parallelism) {
    resize(parallelism);
    replay.forEach(ArrayDeque::clear);
    replays++;
    List<BitSet> behind = new ArrayList<>(parallelism);
    for (int i = 0; i < parallelism; i++) {
      behind.add(new BitSet());
    }
    for (int i = 0; i < records.size(); i++) {
      int owner = owner(i, parallelism);
      if (covered.get(i + 1)) {
        behind.get(owner).set(i + 1);
      } else {
        giveAgain(owner, records.get(i));
      }
    }
    durable = (BitSet) covered.clone();
    everDurable.or(covered);
    return behind;
  }

  /** Takes the partition of one subtask back, and leaves the others where they are. */
  BitSet rewindOne(int subtask, BitSet covered) {
    ArrayDeque<TestRecord> mine = replay.get(subtask);
    mine.clear();
    BitSet behind = new BitSet();
    for (int i = 0; i < records.size(); i++) {
      if (owner(i, replay.size()) != subtask) {
        continue;
      }
      if (covered.get(i + 1)) {
        behind.set(i + 1);
      } else {
        giveAgain(subtask, records.get(i));
      }
    }
    stored(covered);
    return behind;
  }

  private void giveAgain(int subtask, TestRecord record) {
    replay.get(subtask).add(record);
    holders[(int) record.id()] = TestRecord.UNKNOWN;
  }

  private int owner(int record, int parallelism) {
    int shift = source == Source.REBALANCED ? replays : 0;
    return (owners.get(record) + shift) % parallelism;
  }

  void stored(BitSet covered) {
    durable.or(covered);
    everDurable.or(covered);
  }

  /** The same of any lineage: what was rightly visible once stays so after a rewind. */
  public BitSet everDurable() {
    return everDurable;
  }

  /** The records held by stored checkpoints of the surviving lineage; do not change it. */
  public BitSet durable() {
    return durable;
  }

  /** Number of records made so far. */
  public int size() {
    return records.size();
  }

  /** The record of this id, which must be between 1 and {@link #size}. */
  public TestRecord record(long id) {
    return records.get(Math.toIntExact(id) - 1);
  }

  /** The records of these ids. */
  public List<TestRecord> records(BitSet ids) {
    List<TestRecord> found = new ArrayList<>(ids.cardinality());
    PrimitiveIterator.OfInt each = ids.stream().iterator();
    while (each.hasNext()) {
      found.add(record(each.nextInt()));
    }
    return found;
  }
}
