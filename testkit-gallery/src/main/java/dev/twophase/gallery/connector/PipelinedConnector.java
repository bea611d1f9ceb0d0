package dev.twophase.gallery.connector;

import dev.twophase.WriteContext;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Correct: write errors are reported later, as by an asynchronous client, and awaited (W3). */
public class PipelinedConnector extends StoreConnector {

  private static final long serialVersionUID = 1L;

  private transient @Nullable IOException reported;

  public PipelinedConnector(SinkSetup setup) {
    super(setup);
  }

  @Override
  public void write(String transaction, TestRecord record, WriteContext context) {
    try {
      client().write(transaction, record);
    } catch (IOException error) {
      reported = error;
    }
  }

  @Override
  public Optional<String> preCommit(String transaction) throws Exception {
    awaitWrites();
    return super.preCommit(transaction);
  }

  void awaitWrites() throws IOException {
    if (reported != null) {
      throw reported;
    }
  }
}
