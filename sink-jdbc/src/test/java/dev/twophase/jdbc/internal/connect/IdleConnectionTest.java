package dev.twophase.jdbc.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a server, a firewall or a pool closes while nobody uses it. */
class IdleConnectionTest {

  private final List<Connection> made = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

  private Session session() {
    Duration patience = Duration.ofSeconds(5);
    return new Session(
        () -> {
          Connection connection = DriverManager.getConnection("jdbc:h2:mem:idle");
          made.add(connection);
          return connection;
        },
        patience,
        patience,
        nanos::get);
  }

  private static int ask(Session session) throws Exception {
    return session.inTransaction(
        (connection, dialect) -> {
          try (var statement = connection.createStatement();
              var result = statement.executeQuery("SELECT 1")) {
            result.next();
            return result.getInt(1);
          }
        });
  }

  @Test
  void aConnectionThatWasClosedWhileItWasIdleIsReplacedBeforeItIsUsed() throws Exception {
    try (Session session = session()) {
      ask(session);
      made.get(0).close();
      nanos.addAndGet(Session.IDLE.toNanos());

      assertThat(ask(session)).isEqualTo(1);
      assertThat(made).hasSize(2);
    }
  }

  @Test
  void anIdleConnectionThatLivesIsKept() throws Exception {
    try (Session session = session()) {
      ask(session);
      nanos.addAndGet(Session.IDLE.toNanos());

      assertThat(ask(session)).isEqualTo(1);
      assertThat(made).hasSize(1);
    }
  }

  /** What was sent in it may have been done: that is for the commit to find out. */
  @Test
  void oneThatBreaksInUseIsToldOf() throws Exception {
    try (Session session = session()) {
      ask(session);
      made.get(0).close();

      assertThatThrownBy(() -> ask(session)).isInstanceOf(SQLException.class);
    }
  }
}
