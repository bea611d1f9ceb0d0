package dev.twophase.examples.migration;

import java.util.UUID;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.streaming.api.functions.sink.legacy.TwoPhaseCommitSinkFunction;

/** Where the guide begins: a sink on Flink's own base class. */
@SuppressWarnings("deprecation") // Flink has deprecated its base class
// tag::class[]
public class OrderSink extends TwoPhaseCommitSinkFunction<String, String, Void> {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // LocalStaging is serializable
  private final Staging staging;

  public OrderSink(Staging staging) {
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
// end::class[]
