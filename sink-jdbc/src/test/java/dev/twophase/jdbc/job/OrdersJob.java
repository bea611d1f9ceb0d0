package dev.twophase.jdbc.job;

import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.TransactionalJdbcSink;
import java.nio.file.Path;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job that writes the orders 1 to some number, with checkpoints every 50 ms. */
public final class OrdersJob {

  private OrdersJob() {}

  /**
   * Starts it.
   *
   * @param restoreFrom savepoint, or null
   * @param order makes an order of its number, as slowly as the test wants it
   */
  public static JobClient start(
      Configuration configuration,
      int parallelism,
      Path restoreFrom,
      long last,
      MapFunction<Long, Order> order,
      TransactionalJdbcSink<Order> sink)
      throws Exception {
    if (restoreFrom != null) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom.toUri().toString());
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(parallelism);
    environment.enableCheckpointing(50);
    environment
        .fromSequence(1, last)
        .setParallelism(1)
        .uid("numbers")
        .map(order)
        .returns(TypeInformation.of(Order.class))
        .setParallelism(1)
        .rebalance()
        .sinkTo(sink.buildSink())
        .uid("orders-sink");
    return environment.executeAsync("orders");
  }
}
