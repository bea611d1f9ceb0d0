package dev.twophase.jdbc.job;

import dev.twophase.error.RewindDetectedException;
import dev.twophase.error.TransactionSupersededException;
import dev.twophase.jdbc.CommitMode;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.MariaDbServer;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** By ledger on MariaDB. */
@Tag("nightly")
class MariaDbRewindJobTest extends RewindJobCases {

  @RegisterExtension
  static final DatabaseExtension<MariaDbServer> DATABASE =
      DatabaseExtension.of(() -> MariaDbServer.create("--debug-no-sync"));

  MariaDbRewindJobTest() {
    super(DATABASE.server(), CommitMode.LEDGER);
  }

  @Override
  boolean isExpected(Throwable failure) {
    return ExceptionUtils.findThrowable(failure, TransactionSupersededException.class).isPresent()
        || ExceptionUtils.findThrowable(failure, RewindDetectedException.class).isPresent();
  }
}
