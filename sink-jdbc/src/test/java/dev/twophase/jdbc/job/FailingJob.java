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

/** The main class of a JVM that runs jobs which fail, and logs all there is to be logged. */
final class FailingJob {

  /** The password; variables of the environment are where users keep theirs. */
  static final String VARIABLE = "TWOPHASE_TEST_PASSWORD";

  /** What is said when a job has failed; all before it, up to the last such line, is about it. */
  static final String FAILED = "The job has failed";

  private static final long RECORDS = 100;

  private FailingJob() {}

  /** Called with the address and the user of one database after the other. */
  public static void main(String[] arguments) throws Exception {
    DriverManager.registerDriver(new QuotingDriver("message"));
    logAll();
    for (int i = 0; i < arguments.length; i += 2) {
      run(arguments[i], arguments[i + 1]);
    }
  }

  private static void run(String url, String user) throws Exception {
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
                  .url(url)
                  .credentials(() -> new Credentials(user, System.getenv(VARIABLE)))
                  .insertInto("orders")
                  .key("id", Order::id)
                  .column("item", Order::item)
                  .createTables())
          .getJobExecutionResult()
          .get();
    } catch (ExecutionException failed) {
      failed.printStackTrace();
      System.out.println(FAILED);
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
