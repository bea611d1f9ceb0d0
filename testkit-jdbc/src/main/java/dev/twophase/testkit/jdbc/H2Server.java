package dev.twophase.testkit.jdbc;

import java.io.IOException;
import java.util.List;

/**
 * H2's server on a file. It writes what was committed to disk within half a second, not before it
 * acknowledges: never kill it to prove durability.
 */
public final class H2Server extends JavaServer {

  private H2Server() throws IOException {
    super("h2");
  }

  /** Makes a server, not yet started. */
  public static H2Server create() throws IOException {
    return new H2Server();
  }

  @Override
  public String url() {
    return "jdbc:h2:tcp://127.0.0.1:" + port() + "/./test";
  }

  @Override
  public String user() {
    return "sa";
  }

  @Override
  public String password() {
    return "none";
  }

  @Override
  List<String> main() {
    return List.of(
        "org.h2.tools.Server",
        "-tcp",
        "-tcpPort",
        Integer.toString(port()),
        "-ifNotExists",
        "-baseDir",
        directory().toString());
  }
}
