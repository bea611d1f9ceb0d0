package dev.twophase.jdbc.contract.tier;

import dev.twophase.jdbc.CommitMode;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.jdbc.contract.JdbcSinkContract;
import dev.twophase.testkit.ClusterKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.jdbc.DatabaseServer;
import dev.twophase.testkit.jdbc.MariaDbServer;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on a real Flink cluster, each with a database of its own. */
class ClusterContractTest {

  private static final String[] SCHEDULES = {
    "2pk/1 p=2 src=fwd; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !COMMIT#1=A; s0.kill;"
        + " s0.up 1; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !COMMIT#1=N; s*.fail; up 1; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; s*.in 1; s*.bar 2; done 2; s*.nab 1; s0.ntf 2; s*.fail; up 2;"
        + " settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s*.kill; up 1,p=4; settle",
    "2pk/1 p=2; s*.in 2; s*.bar 1; done 1; s0.ntf 1 !COMMIT#1=K; s*.kill; up 1; settle",
  };

  @Test
  void C2_byLedgerOnPostgresThroughSinkV2() {
    assertPasses(LedgerOnPostgres.class, "Connection.commit");
  }

  @Tag("nightly")
  @Test
  void C2_byLedgerOnPostgresThroughTheFunction() {
    assertPasses(LedgerOnPostgresByFunction.class, "Connection.commit");
  }

  @Tag("nightly")
  @Test
  void C2_byXaOnPostgresThroughSinkV2() {
    assertPasses(XaOnPostgres.class, "Statement.execute");
  }

  @Tag("nightly")
  @Test
  void C2_byXaOnPostgresThroughTheFunction() {
    assertPasses(XaOnPostgresByFunction.class, "Statement.execute");
  }

  @Tag("nightly")
  @Test
  void C2_byLedgerOnMariaDbThroughSinkV2() {
    assertPasses(LedgerOnMariaDb.class, "Connection.commit");
  }

  @Tag("nightly")
  @Test
  void C2_byLedgerOnMariaDbThroughTheFunction() {
    assertPasses(LedgerOnMariaDbByFunction.class, "Connection.commit");
  }

  /**
   * @param commit the call that commits
   */
  private static void assertPasses(Class<? extends SinkUnderTest<?>> sink, String commit) {
    try (ClusterKit kit = ClusterKit.of(sink)) {
      for (String schedule : SCHEDULES) {
        kit.assertPasses(schedule.replace("COMMIT", commit));
      }
    }
  }

  /** Made in the process of the cluster, where its server is started, and ends. */
  private abstract static class OnOwnServer extends JdbcSinkContract {

    private final DatabaseServer server;

    OnOwnServer(DatabaseServer server) throws Exception {
      this.server = server;
      server.start();
      createTarget();
    }

    @Override
    protected DatabaseServer server() {
      return server;
    }

    @Override
    protected String serialType() {
      return "BIGSERIAL";
    }

    @Override
    public Object sink(SinkSetup setup) {
      return configured(setup).buildSink();
    }
  }

  static class LedgerOnPostgres extends OnOwnServer {

    LedgerOnPostgres() throws Exception {
      super(PostgresServer.builder().build());
    }
  }

  static final class LedgerOnPostgresByFunction extends LedgerOnPostgres {

    LedgerOnPostgresByFunction() throws Exception {}

    @Override
    public Object sink(SinkSetup setup) {
      return configured(setup).buildFunction();
    }
  }

  static class XaOnPostgres extends LedgerOnPostgres {

    XaOnPostgres() throws Exception {}

    @Override
    protected TransactionalJdbcSink<TestRecord> configured(SinkSetup setup) {
      return super.configured(setup).mode(CommitMode.XA).lockTimeout(Duration.ofSeconds(1));
    }
  }

  static final class XaOnPostgresByFunction extends XaOnPostgres {

    XaOnPostgresByFunction() throws Exception {}

    @Override
    public Object sink(SinkSetup setup) {
      return configured(setup).buildFunction();
    }
  }

  static class LedgerOnMariaDb extends OnOwnServer {

    LedgerOnMariaDb() throws Exception {
      super(MariaDbServer.create());
    }

    @Override
    protected String serialType() {
      return "BIGINT AUTO_INCREMENT";
    }
  }

  static final class LedgerOnMariaDbByFunction extends LedgerOnMariaDb {

    LedgerOnMariaDbByFunction() throws Exception {}

    @Override
    public Object sink(SinkSetup setup) {
      return configured(setup).buildFunction();
    }
  }
}
