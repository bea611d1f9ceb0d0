package dev.twophase.testkit.jdbc.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are killed and started again: not of those that the system gives to
 * clients. Of these it might, while the server is down, give one to any other process, and even to
 * one that tries to reach the server, which is then connected to itself and keeps the server from
 * its port.
 */
public final class Ports {

  private static final Path FOR_CLIENTS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int LOWEST = 10_000;
  private static final int TRIES = 100;

  private Ports() {}

  /** One that is free now; any free one where the system does not tell which it gives away. */
  public static int free() throws IOException {
    int below = firstForClients();
    for (int i = 0; i < TRIES && below > LOWEST; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, below);
      if (isFree(port)) {
        return port;
      }
    }
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  private static int firstForClients() {
    try (Scanner range = new Scanner(FOR_CLIENTS, StandardCharsets.US_ASCII)) {
      return range.nextInt();
    } catch (IOException | NoSuchElementException unknown) {
      return 0;
    }
  }
}
