package dev.twophase.testkit.internal.job;

import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.schedule.Source;
import java.util.BitSet;
import java.util.List;

/** An input of one subtask, some of which a checkpoint holds; two keys take turns. */
public final class RecordedInput {

  private final InputLog log = new InputLog(Source.KEYED, 1);

  public RecordedInput(int records, int durable) {
    for (int i = 0; i < records; i++) {
      log.delivered(log.next(0).deliveredTo(0));
    }
    BitSet covered = new BitSet();
    covered.set(1, durable + 1);
    log.stored(covered);
    log.held(List.of(new Span(0, 1, covered)));
  }

  public InputLog log() {
    return log;
  }

  public List<TestRecord> durableRecords() {
    return log.records(log.durable()).stream().map(record -> record.deliveredTo(0)).toList();
  }
}
