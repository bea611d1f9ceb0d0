package dev.twophase.kafka.internal.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form of {@code bootstrap.servers}. */
public final class ServerList {

  /**
   * Host, which may be an IPv6 address in brackets, and port; as lenient as Kafka with blanks and
   * with the protocols that brokers name before their own addresses.
   */
  private static final Pattern SERVER =
      Pattern.compile(
          "\\s*(?:(?:SASL_)?(?:PLAINTEXT|SSL)://)?(?:[\\w.%-]+|\\[[\\w.%:-]+]):(\\d{1,5})\\s*");

  private static final int LAST_PORT = 65_535;

  private ServerList() {}

  /** The same list; the refusal of one that is none does not show it, for its secrets' sake. */
  public static String checked(String list) {
    String[] servers = list.split(",", -1);
    for (int i = 0; i < servers.length; i++) {
      if (!isServer(servers[i])) {
        throw new IllegalArgumentException(
            "bootstrapServers: server "
                + (i + 1)
                + " of "
                + servers.length
                + " is not HOST:PORT with a port from 1 to "
                + LAST_PORT
                + "; separate several by commas, and give users and passwords with setProperty"
                + " (sasl.jaas.config)");
      }
    }
    return list;
  }

  private static boolean isServer(String text) {
    Matcher server = SERVER.matcher(text);
    if (!server.matches()) {
      return false;
    }
    int port = Integer.parseInt(server.group(1));
    return port > 0 && port <= LAST_PORT;
  }
}
