package dev.twophase.testkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Scanner;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class DatabaseServerTest {

  private static Callable<PostgresServer> postgres14() {
    return () ->
        PostgresServer.builder()
            .binaries(Path.of(System.getProperty("twophase.postgres14")))
            .build();
  }

  static Stream<Arguments> durableServers() {
    return Stream.of(
        Arguments.of("postgres 18", (Callable<?>) () -> PostgresServer.builder().build()),
        Arguments.of("postgres 14", postgres14()),
        Arguments.of("mariadb", (Callable<?>) MariaDbServer::create),
        Arguments.of("derby", (Callable<?>) DerbyServer::create));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("durableServers")
  void whatWasCommittedSurvivesSigkillAndRestart(
      String title, Callable<? extends DatabaseServer> factory) throws Exception {
    try (DatabaseServer server = factory.call()) {
      server.start();
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("CREATE TABLE numbers (n INT)");
        for (int n = 1; n <= 50; n++) {
          statement.executeUpdate("INSERT INTO numbers VALUES (" + n + ")");
        }
        server.kill();
        assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO numbers VALUES (0)"))
            .isInstanceOf(SQLException.class);
      }

      server.start();

      assertThat(count(server)).isEqualTo(50);
    }
  }

  @Test
  void h2StopsAndStartsOnTheSameData() throws Exception {
    try (H2Server server = H2Server.create()) {
      server.start();
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("CREATE TABLE numbers (n INT)");
        statement.executeUpdate("INSERT INTO numbers VALUES (1)");
      }
      server.stop();

      server.start();

      assertThat(count(server)).isEqualTo(1);
    }
  }

  @Test
  void postgres14IsPostgres14() throws Exception {
    try (PostgresServer server = postgres14().call()) {
      server.start();
      try (Connection connection = server.connect()) {
        assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(14);
      }
    }
  }

  /** Else a client that tries to reach it while it is down may be given its port. */
  @Test
  void aServersPortIsNoneThatTheSystemGivesToClients() throws Exception {
    int firstForClients;
    try (Scanner range = new Scanner(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
      firstForClients = range.nextInt();
    }
    for (int i = 0; i < 100; i++) {
      try (DatabaseServer server = H2Server.create()) {
        assertThat(server.port()).isBetween(10_000, firstForClients - 1);
      }
    }
  }

  @Test
  void aServerThatDoesNotStartShowsItsLog() throws Exception {
    try (PostgresServer server =
        PostgresServer.builder().setting("shared_buffers", "nonsense").build()) {
      assertThatThrownBy(server::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("shared_buffers");
    }
  }

  private static int count(DatabaseServer server) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM numbers")) {
      result.next();
      return result.getInt(1);
    }
  }
}
