package dev.twophase.gallery.sink;

import dev.twophase.gallery.store.Naming;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import java.io.IOException;

/** Correct, though its writer cannot be closed without an error. */
public final class ThrowsInCloseSink extends StoreSink {

  private static final long serialVersionUID = 1L;

  public ThrowsInCloseSink(SinkSetup setup) {
    super(setup);
  }

  @Override
  StoreWriter writer(StoreClient client, Naming naming, int parallelism) {
    return new StoreWriter(client, naming, parallelism) {
      @Override
      public void close() throws Exception {
        super.close();
        throw new IOException("the connection was closed by the store");
      }
    };
  }
}
