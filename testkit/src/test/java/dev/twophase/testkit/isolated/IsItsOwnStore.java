package dev.twophase.testkit.isolated;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.store.MemoryConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Correct; what stands for the external system is in a static field of the sink's own class. */
public final class IsItsOwnStore extends MemoryConnector {

  private static final long serialVersionUID = 1L;

  private static final Map<String, List<TestRecord>> SHOWN = new ConcurrentHashMap<>();

  public IsItsOwnStore(String namespace) {
    super(namespace);
  }

  /** What a reader sees in a namespace. */
  public static List<TestRecord> in(String namespace) {
    List<TestRecord> visible = new ArrayList<>();
    SHOWN.forEach((id, rows) -> visible.addAll(id.startsWith(namespace) ? rows : List.of()));
    return visible;
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    List<TestRecord> rows = store.records(id);
    if (rows != null) {
      SHOWN.putIfAbsent(namespace + id, List.copyOf(rows));
    }
    return super.commit(id, handle);
  }
}
