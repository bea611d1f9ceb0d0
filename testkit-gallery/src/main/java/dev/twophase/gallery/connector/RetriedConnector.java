package dev.twophase.gallery.connector;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.testkit.SinkSetup;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Correct: every commit takes many tries. */
public class RetriedConnector extends StoreConnector {

  private static final long serialVersionUID = 1L;

  private static final int FAILURES = 7;

  @SuppressWarnings("NullAway.Init") // by open
  private transient Map<TransactionId, Integer> tries;

  public RetriedConnector(SinkSetup setup) {
    super(setup);
  }

  @Override
  public void open(ConnectorContext openContext) {
    super.open(openContext);
    tries = new HashMap<>();
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws Exception {
    if (tries.merge(id, 1, Integer::sum) <= FAILURES) {
      throw new IOException("the store is busy");
    }
    return super.commit(id, handle);
  }
}
