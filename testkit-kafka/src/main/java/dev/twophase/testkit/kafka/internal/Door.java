package dev.twophase.testkit.kafka.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * Where other brokers, and the broker itself, find it while it has not begun to listen. A restarted
 * broker is still taken for the leader, and sends itself the markers of transactions that it had
 * decided. Refused, it looks for their leaders again every 50 ms; and if that is in the moment at
 * which it is registered anew and nothing has a leader, Kafka 4.4 takes the partitions for deleted
 * and drops the markers (KAFKA-20734). Whoever comes through the door waits instead.
 */
final class Door {

  private static final long POLL_MILLIS = 20;
  private static final int BACKLOG = 50;

  private final ServerSocket outside;
  private final InetSocketAddress inside;

  private Door(ServerSocket outside, InetSocketAddress inside) {
    this.outside = outside;
    this.inside = inside;
  }

  /** Opens it for as long as the process lives. */
  static void open(int port, int brokerPort) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Door door =
        new Door(
            new ServerSocket(port, BACKLOG, loopback), new InetSocketAddress(loopback, brokerPort));
    start("door", door::admit);
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void admit() {
    try (outside) {
      while (true) {
        Socket guest = outside.accept();
        start("guest", () -> lead(guest));
      }
    } catch (IOException failure) {
      System.err.println("Nobody is admitted any more: " + failure);
    }
  }

  private void lead(Socket guest) {
    try (guest;
        Socket broker = connect()) {
      guest.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
      start("replies", () -> pass(broker, guest));
      pass(guest, broker);
    } catch (IOException failure) {
      System.err.println("A connection between brokers ended: " + failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException, InterruptedException {
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(inside);
        return socket;
      } catch (IOException notYet) {
        socket.close();
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  /** Until one of them closes; then both are closed. */
  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException closed) {
      // The other direction has closed them.
      return;
    }
  }
}
