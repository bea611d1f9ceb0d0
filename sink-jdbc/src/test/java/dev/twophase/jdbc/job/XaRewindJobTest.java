package dev.twophase.jdbc.job;

import dev.twophase.error.RewindDetectedException;
import dev.twophase.error.TransactionLostException;
import dev.twophase.error.TransactionSupersededException;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** By prepared transactions of PostgreSQL: a clone rolls back what the other has prepared. */
@Tag("nightly")
class XaRewindJobTest extends RewindJobCases {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  XaRewindJobTest() {
    super(DATABASE.server(), CommitMode.XA);
  }

  @Override
  boolean isExpected(Throwable failure) {
    return ExceptionUtils.findThrowable(failure, TransactionSupersededException.class).isPresent()
        || ExceptionUtils.findThrowable(failure, RewindDetectedException.class).isPresent()
        || ExceptionUtils.findThrowable(failure, TransactionLostException.class).isPresent();
  }
}
