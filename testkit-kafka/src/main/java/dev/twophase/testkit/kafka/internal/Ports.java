package dev.twophase.testkit.kafka.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports nobody listens on, below those the system gives to outgoing connections: a dead broker's
 * port must still be free when it comes back, and a client that keeps trying it must not be
 * connected to itself.
 */
public final class Ports {

  private static final int LOWEST = 16_384;
  private static final int ABOVE_HIGHEST = 32_768;
  private static final int MOST_TRIES = 1_000;

  private final Set<Integer> given = new HashSet<>();

  /** Another process may still be quicker: whoever binds it must be ready to ask again. */
  public int next() {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE_HIGHEST);
      if (!given.contains(port) && isFree(port)) {
        given.add(port);
        return port;
      }
    }
    throw new IllegalStateException(
        "No free port between " + LOWEST + " and " + ABOVE_HIGHEST + ": end some processes");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
