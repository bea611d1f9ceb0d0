package dev.twophase.gallery.connector;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.List;

/**
 * Correct: at commit the rows go into a staging table one by one, and from there into the table all
 * at once, together with the key.
 */
public class StagedLedgerConnector extends LedgerConnector {

  private static final long serialVersionUID = 1L;

  public StagedLedgerConnector(SinkSetup setup) {
    super(setup);
  }

  @Override
  public CommitOutcome commit(TransactionId id, List<TestRecord> rows) throws IOException {
    String staging = id.toString();
    client().begin(staging);
    for (TestRecord row : rows) {
      client().write(staging, row);
    }
    CommitOutcome outcome = super.commit(id, client().readStaged(staging));
    client().abort(staging);
    return outcome;
  }
}
