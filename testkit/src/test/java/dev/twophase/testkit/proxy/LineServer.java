package dev.twophase.testkit.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers each line and answers it with two; refuses those that begin with {@code bad}. */
final class LineServer implements AutoCloseable {

  final List<String> received = new CopyOnWriteArrayList<>();
  private final ServerSocket listener;

  LineServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    daemon(
        () -> {
          while (true) {
            Socket socket = listener.accept();
            daemon(() -> serve(socket));
          }
        });
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void serve(Socket socket) throws IOException {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        received.add(line);
        out.println("- part of " + line);
        out.println((line.startsWith("bad") ? "refused " : "done ") + line);
      }
    }
  }

  private static void daemon(Serving serving) {
    Thread thread =
        new Thread(
            () -> {
              try {
                serving.run();
              } catch (IOException closed) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private interface Serving {
    void run() throws IOException;
  }
}
