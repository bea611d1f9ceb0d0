package dev.twophase.jdbc.contract.tier;

import dev.twophase.jdbc.contract.PostgresContract;
import dev.twophase.testkit.Bound;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.proxy.wire.PostgresFramer;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * By ledger on PostgreSQL, undecorated: schedules strike at what passes between driver and server.
 */
@Tag("nightly")
class PostgresWireContractTest extends PostgresContract {

  @Override
  public Object sink(SinkSetup setup) {
    Faults faults = setup.faults();
    int port = server().port();
    String user = server().user();
    return configured(setup).dataSource(() -> through(faults, port, user)).buildSink();
  }

  // tag::wire[]
  static DataSource through(Faults faults, int port, String user) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {faults.aroundPort(new PostgresFramer(), port)});
    source.setSslmode("disable");
    source.setSocketTimeout(1);
    source.setUser(user);
    return source;
  }

  // end::wire[]

  @Override
  protected Bound bound() {
    return Bound.oneFault().withParallelism(1).withCheckpoints(1).withBudget(Duration.ofMinutes(5));
  }
}
