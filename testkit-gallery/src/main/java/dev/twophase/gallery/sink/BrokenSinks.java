package dev.twophase.gallery.sink;

import dev.twophase.gallery.store.Naming;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.Committer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sinks that are each wrong in one way. */
public final class BrokenSinks {

  private static final Logger LOG = LoggerFactory.getLogger(BrokenSinks.class);

  private BrokenSinks() {}

  /** Mutant 10. */
  public static final class SwallowsCommitErrors extends StoreSink {
    private static final long serialVersionUID = 1L;

    public SwallowsCommitErrors(SinkSetup setup) {
      super(setup);
    }

    @Override
    Committer<Committable> committer(StoreClient client) {
      return new StoreCommitter(client) {
        @Override
        void commit(Committable committable) {
          try {
            super.commit(committable);
          } catch (IOException e) {
            LOG.error("Could not commit {}", committable, e);
          }
        }
      };
    }
  }

  /** Mutant 21. */
  public static final class DoesNotFlushAtEndOfInput extends StoreSink {
    private static final long serialVersionUID = 1L;

    public DoesNotFlushAtEndOfInput(SinkSetup setup) {
      super(setup);
    }

    @Override
    StoreWriter writer(StoreClient client, Naming naming, int parallelism) {
      return new StoreWriter(client, naming, parallelism) {
        @Override
        public void flush(boolean endOfInput) throws IOException {
          if (!endOfInput) {
            super.flush(false);
          }
        }
      };
    }
  }

  /** Mutant 22. */
  public static final class CommitsAtEndOfInput extends StoreSink {
    private static final long serialVersionUID = 1L;

    public CommitsAtEndOfInput(SinkSetup setup) {
      super(setup);
    }

    @Override
    StoreWriter writer(StoreClient client, Naming naming, int parallelism) {
      return new StoreWriter(client, naming, parallelism) {
        @Override
        public void flush(boolean endOfInput) throws IOException {
          super.flush(endOfInput);
          if (endOfInput) {
            StoreCommitter committer = new StoreCommitter(client);
            for (Committable prepared : prepareCommit()) {
              committer.settle(prepared);
            }
          }
        }
      };
    }
  }
}
