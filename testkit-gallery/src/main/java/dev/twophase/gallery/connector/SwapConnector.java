package dev.twophase.gallery.connector;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.gallery.store.Table;
import dev.twophase.testkit.SinkSetup;
import java.io.IOException;

/** Correct: what was staged is added to a copy of the table, which then takes its place. */
public class SwapConnector extends StoreConnector {

  private static final long serialVersionUID = 1L;

  public SwapConnector(SinkSetup setup) {
    super(setup);
  }

  @Override
  public CommitOutcome commit(TransactionId id, String handle) throws IOException {
    String staged = id.toString();
    Table table = client().readTable();
    if (table.ids().contains(staged)) {
      client().abort(staged);
      return CommitOutcome.alreadyCommitted();
    }
    if (!client().swap(table, table.plus(staged, client().readStaged(staged)))) {
      throw new IOException("another commit was faster than that of " + staged);
    }
    client().abort(staged);
    return CommitOutcome.committed();
  }
}
