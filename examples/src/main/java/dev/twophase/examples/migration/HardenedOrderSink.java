package dev.twophase.examples.migration;

import dev.twophase.flink.HardenedTwoPhaseCommitSinkFunction;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;

/** The same sink with one line changed. */
public class HardenedOrderSink extends HardenedTwoPhaseCommitSinkFunction<String, String, Void> {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // LocalStaging is serializable
  private final Staging staging;

  public HardenedOrderSink(Staging staging) {
    super(StringSerializer.INSTANCE, VoidSerializer.INSTANCE);
    this.staging = staging;
  }

  @Override
  protected String beginTransaction() {
    return UUID.randomUUID().toString();
  }

  @Override
  protected void invoke(String transaction, String order, Context context) {
    staging.append(transaction, order);
  }

  @Override
  protected void preCommit(String transaction) {
    staging.sync(transaction);
  }

  @Override
  protected void commit(String transaction) {
    if (!staging.publish(transaction) && !staging.isVisible(transaction)) {
      throw new IllegalStateException(transaction + " is lost");
    }
  }

  @Override
  protected void abort(String transaction) {
    staging.discard(transaction);
  }
}
