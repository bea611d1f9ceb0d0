package dev.twophase.gallery.function;

import dev.twophase.gallery.store.Naming;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.jspecify.annotations.Nullable;

/** Sink functions on staging and rename that are each wrong in one way. */
public final class BrokenFunctions {

  private BrokenFunctions() {}

  /** Mutant 1. */
  public static final class CommitsInSnapshot extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public CommitsInSnapshot(SinkSetup setup) {
      super(setup);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      super.snapshotState(context);
      commitAll(pending());
    }
  }

  /** Mutant 5: begins something new when the old is committed, not when it is prepared. */
  public static final class WritesToPrepared extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public WritesToPrepared(SinkSetup setup) {
      super(setup);
    }

    @Override
    @Nullable String next(String prepared) {
      return prepared;
    }
  }

  /** Mutant 11. */
  public static final class CommitsOnlyTheOneNotified extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public CommitsOnlyTheOneNotified(SinkSetup setup) {
      super(setup);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
      commitAll(pending().subMap(checkpointId, true, checkpointId, true));
    }
  }

  /** Mutant 12. */
  public static final class CommitsWhateverIsPending extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public CommitsWhateverIsPending(SinkSetup setup) {
      super(setup);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
      commitAll(pending());
    }
  }

  /** Mutant 15. */
  public static final class RollsBackWhenAborted extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public RollsBackWhenAborted(SinkSetup setup) {
      super(setup);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
      String id = pending().remove(checkpointId);
      if (id != null) {
        client().abort(id);
      }
    }
  }

  /**
   * Mutant 24: takes what was restored over into its own transaction, and does not keep an earlier
   * attempt from committing it too.
   */
  public static final class TakesOverWithoutFencing extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public TakesOverWithoutFencing(SinkSetup setup) {
      super(setup);
    }

    @Override
    void restore(Iterable<String> elements) throws IOException {
      for (String element : elements) {
        for (String id : element.split(" ", -1)) {
          if (client().listUnfinished().contains(id)) {
            for (TestRecord record : client().readStaged(id)) {
              write(record);
            }
          }
        }
      }
    }
  }

  /** Mutant 25: whatever is not in restored state began after it, and is aborted at once. */
  public static final class AbortsAtRestore extends ReportingRenameFunction {
    private static final long serialVersionUID = 1L;

    public AbortsAtRestore(SinkSetup setup) {
      super(setup);
    }

    @Override
    void settleLingering(List<String> ids) throws IOException {
      for (String id : ids) {
        client().abort(id);
      }
    }
  }

  /** Mutant 26: takes what was prepared for a failed checkpoint over into the next one. */
  public static final class TakesOverWhatWasAborted extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public TakesOverWhatWasAborted(SinkSetup setup) {
      super(setup);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
      String id = pending().remove(checkpointId);
      if (id != null) {
        for (TestRecord record : client().readStaged(id)) {
          write(record);
        }
        client().abort(id);
      }
    }
  }

  /** Mutant 16. */
  public static final class AbortsBeforeItCommits extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public AbortsBeforeItCommits(SinkSetup setup) {
      super(setup);
    }

    @Override
    void restore(Iterable<String> elements) throws IOException {
      String prefix = naming().job() + "." + naming().subtask() + ".";
      for (String id : client().listUnfinished()) {
        if (id.startsWith(prefix)) {
          client().abort(id);
        }
      }
      super.restore(elements);
    }
  }

  /** Mutant 18. */
  public static final class RestoresOnlyTheFirst extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public RestoresOnlyTheFirst(SinkSetup setup) {
      super(setup);
    }

    @Override
    void restore(Iterable<String> elements) throws IOException {
      Iterator<String> each = elements.iterator();
      super.restore(each.hasNext() ? List.of(each.next()) : List.of());
    }
  }

  /** Mutant 20. */
  public static final class NamesWithoutSubtask extends RenameFunction {
    private static final long serialVersionUID = 1L;

    public NamesWithoutSubtask(SinkSetup setup) {
      super(setup);
    }

    @Override
    String name(int number) {
      return new Naming(naming().job(), 0, naming().attempt()).id(number);
    }
  }
}
