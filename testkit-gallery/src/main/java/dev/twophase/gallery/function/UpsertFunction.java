package dev.twophase.gallery.function;

import dev.twophase.gallery.store.Store;
import dev.twophase.gallery.store.StoreClient;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * Correct, if it claims no more than that nothing is lost: each record replaces the one of its id
 * at once, so a replay changes nothing, but records are visible before their checkpoint.
 */
public class UpsertFunction extends LineSinkFunction<TestRecord> {

  private static final long serialVersionUID = 1L;

  private final SinkSetup setup;
  private transient @Nullable StoreClient client;

  public UpsertFunction(SinkSetup setup) {
    this.setup = setup;
  }

  @Override
  public void invoke(TestRecord value, Context context) throws Exception {
    StoreClient present = client;
    if (present == null) {
      present = setup.faults().around(StoreClient.class, Store.of(setup.namespace()));
      client = present;
    }
    present.upsert(value);
  }
}
