package dev.twophase.jdbc.job;

import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Order;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.jdbc.table.QuotingDriver;
import java.sql.DriverManager;
import java.util.concurrent.ExecutionException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;

/** The main class of a JVM that runs a job which fails, and logs all there is to be logged. */
final class FailingJob {

  /** The password; variables of the environment are where users keep theirs. */
  static final String VARIABLE = "TWOPHASE_TEST_PASSWORD";

  private static final long RECORDS = 100;

  private FailingJob() {}

  /** Called with the database's address and user. */
  public static void main(String[] arguments) throws Exception {
    DriverManager.registerDriver(new QuotingDriver("message"));
    logAll();
    String user = arguments[1];
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    try {
      OrdersJob.start(
              configuration,
              1,
              null,
              RECORDS,
              Pace::order,
              TransactionalJdbcSink.<Order>builder()
                  .name("orders")
                  .url(arguments[0])
                  .credentials(() -> new Credentials(user, System.getenv(VARIABLE)))
                  .insertInto("orders")
                  .key("id", Order::id)
                  .column("item", Order::item)
                  .createTables())
          .getJobExecutionResult()
          .get();
    } catch (ExecutionException failed) {
      failed.printStackTrace();
      System.out.println("The job failed");
    }
  }

  /** Of drivers, some of which log by the JDK; the others are set by a property. */
  private static void logAll() {
    Logger root = Logger.getLogger("");
    root.setLevel(Level.ALL);
    for (Handler handler : root.getHandlers()) {
      handler.setLevel(Level.ALL);
    }
  }
}
