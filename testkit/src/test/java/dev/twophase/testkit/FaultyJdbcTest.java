package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.internal.gate.AttemptKilledError;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls of JDBC can be struck, and what a dead process leaves to the database. */
class FaultyJdbcTest {

  private final List<String> points = new ArrayList<>();
  private final List<String> reached = new ArrayList<>();
  private @Nullable FaultKind next;

  private final CallGate gate =
      new CallGate(
          new CallDecider() {
            @Override
            public @Nullable FaultKind arriving(CallGate at, String callClass) {
              points.add(callClass);
              return next;
            }

            @Override
            public void fired(CallGate at, String callClass, FaultKind kind) {}
          },
          0,
          0);

  /** Notes each call; what it returns does the same. */
  private <T> T fake(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              reached.add(method.getName());
              Class<?> result = method.getReturnType();
              if (result == int.class) {
                return 1;
              }
              return result == PreparedStatement.class
                      || result == Connection.class
                      || result == XAResource.class
                  ? fake(result)
                  : null;
            }));
  }

  private DataSource decorated() {
    CallGate.bind(gate);
    return new Faults().aroundDataSource(fake(DataSource.class));
  }

  @AfterEach
  void unbind() {
    CallGate.bind(null);
  }

  @Test
  void whatReachesTheDatabaseIsAPointAndNothingElse() throws SQLException {
    Connection connection = decorated().getConnection();
    connection.setAutoCommit(false);
    PreparedStatement statement = connection.prepareStatement("INSERT");
    statement.setInt(1, 1);
    statement.executeUpdate();
    connection.commit();

    assertThat(points)
        .containsExactly(
            "DataSource.getConnection", "PreparedStatement.executeUpdate", "Connection.commit");
  }

  @Test
  void anErrorIsAConnectionFailureBeforeTheEffect() throws SQLException {
    Connection connection = decorated().getConnection();
    next = FaultKind.ERROR;

    assertThatThrownBy(connection::commit)
        .isInstanceOfSatisfying(
            SQLException.class, error -> assertThat(error.getSQLState()).isEqualTo("08006"));
    assertThat(reached).doesNotContain("commit");
  }

  @Test
  void aLostReplyIsAnErrorAfterTheEffect() throws SQLException {
    Connection connection = decorated().getConnection();
    next = FaultKind.APPLIED;

    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    assertThat(reached).contains("commit");
  }

  @Test
  void aKilledAttemptsConnectionsAreAborted() throws SQLException {
    Connection connection = decorated().getConnection();
    next = FaultKind.KILL;

    assertThatThrownBy(connection::commit).isInstanceOf(AttemptKilledError.class);
    assertThat(reached).doesNotContain("commit").contains("abort");
  }

  /** As the class of PostgreSQL's driver is. */
  private interface Both extends XAConnection, XAResource {}

  @Test
  void whatIsBothConnectionAndResourceIsWhatItWasAskedFor() throws Exception {
    Both both = fake(Both.class);
    XADataSource source =
        (XADataSource)
            Proxy.newProxyInstance(
                XADataSource.class.getClassLoader(),
                new Class<?>[] {XADataSource.class},
                (proxy, method, arguments) -> both);
    CallGate.bind(gate);
    XAConnection connection = new Faults().aroundDataSource(source).getXAConnection();
    connection.getXAResource().commit(null, true);

    assertThat(points).containsExactly("XADataSource.getXAConnection", "XAResource.commit");
    assertThat(reached).containsExactly("getXAResource", "commit");
  }

  @Test
  void outsideASchedulePassesEverything() throws SQLException {
    new Faults().aroundDataSource(fake(DataSource.class)).getConnection().commit();

    assertThat(points).isEmpty();
    assertThat(reached).containsExactly("getConnection", "commit");
  }
}
