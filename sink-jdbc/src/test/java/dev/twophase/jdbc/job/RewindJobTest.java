package dev.twophase.jdbc.job;

import dev.twophase.error.RewindDetectedException;
import dev.twophase.error.TransactionSupersededException;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.extension.RegisterExtension;

/** By ledger on PostgreSQL. */
class RewindJobTest extends RewindJobCases {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  RewindJobTest() {
    super(DATABASE.server(), CommitMode.LEDGER);
  }

  @Override
  boolean isExpected(Throwable failure) {
    return ExceptionUtils.findThrowable(failure, TransactionSupersededException.class).isPresent()
        || ExceptionUtils.findThrowable(failure, RewindDetectedException.class).isPresent();
  }
}
