package dev.twophase.gallery.function;

import dev.twophase.testkit.SinkSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputView;

/** Subclasses of Flink's two-phase function that are each wrong in one way. */
public final class BrokenTwoPhaseFunctions {

  private BrokenTwoPhaseFunctions() {}

  /** Mutant 2. */
  public static final class CommitsInClose extends TwoPhaseFunction {
    private static final long serialVersionUID = 1L;

    public CommitsInClose(SinkSetup setup) {
      super(setup);
    }

    @Override
    public void close() throws Exception {
      Txn open = currentTransaction();
      if (open != null) {
        preCommit(open);
        commit(open);
      }
      super.close();
    }
  }

  /** Mutant 3. */
  public static final class KeepsRecordsOnTheHeap extends TwoPhaseFunction {
    private static final long serialVersionUID = 1L;

    public KeepsRecordsOnTheHeap(SinkSetup setup) {
      super(setup);
    }

    @Override
    protected void preCommit(Txn transaction) {}

    @Override
    protected void commit(Txn transaction) {
      try {
        store().seal(transaction);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      super.commit(transaction);
    }
  }

  /** Mutant 6. */
  public static final class DropsTokenFromState extends TwoPhaseFunction {
    private static final long serialVersionUID = 1L;

    public DropsTokenFromState(SinkSetup setup) {
      super(setup, new WithoutToken());
    }

    /** Writes everything but the token. */
    public static final class WithoutToken extends TxnSerializer {
      private static final long serialVersionUID = 1L;

      @Override
      public void serialize(Txn txn, DataOutputView out) throws IOException {
        Txn written = txn.copy();
        written.token = 0;
        super.serialize(written, out);
      }

      @Override
      public TypeSerializerSnapshot<Txn> snapshotConfiguration() {
        return new WithoutTokenSnapshot();
      }
    }

    /** Names the serializer in state. */
    public static final class WithoutTokenSnapshot extends SimpleTypeSerializerSnapshot<Txn> {
      public WithoutTokenSnapshot() {
        super(WithoutToken::new);
      }
    }
  }

  /** Mutant 7. */
  public static final class PreparesEmptyOnes extends TwoPhaseFunction {
    private static final long serialVersionUID = 1L;

    public PreparesEmptyOnes(SinkSetup setup) {
      super(setup);
    }

    @Override
    TxnStore store(SinkSetup of) {
      return new TxnStore(of, getRuntimeContext()) {
        @Override
        boolean isEmpty(Txn transaction) {
          return false;
        }
      };
    }
  }
}
