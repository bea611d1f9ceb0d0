package dev.twophase.testkit.jdbc;

import java.io.IOException;
import java.util.List;

/** Derby's network server, with its durable defaults. */
public final class DerbyServer extends JavaServer {

  private DerbyServer() throws IOException {
    super("derby");
  }

  /** Makes a server, not yet started. */
  public static DerbyServer create() throws IOException {
    return new DerbyServer();
  }

  @Override
  public String url() {
    return "jdbc:derby://127.0.0.1:" + port() + "/test;create=true";
  }

  @Override
  public String user() {
    return "test";
  }

  @Override
  public String password() {
    return "none";
  }

  @Override
  List<String> main() {
    return List.of(
        "-Dderby.system.home=" + directory(),
        "-Dderby.locks.waitTimeout=10",
        "org.apache.derby.drda.NetworkServerControl",
        "start",
        "-noSecurityManager",
        "-h",
        "127.0.0.1",
        "-p",
        Integer.toString(port()));
  }
}
