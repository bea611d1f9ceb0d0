package dev.twophase.testkit.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Writes lines and reads lines. */
final class LineClient implements AutoCloseable {

  private static final int SHORT_MILLIS = 300;
  private static final int LONG_MILLIS = 30_000;

  private final Socket socket;
  private final BufferedReader in;
  private final PrintWriter out;

  LineClient(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  void send(String line) {
    out.println(line);
  }

  /** Both lines of the answer, or what came instead. */
  String answer() throws IOException {
    socket.setSoTimeout(LONG_MILLIS);
    return in.readLine() + ", " + in.readLine();
  }

  /** True if the other side has closed. */
  boolean isCut() throws IOException {
    socket.setSoTimeout(LONG_MILLIS);
    try {
      return in.readLine() == null;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  boolean hearsNothing() throws IOException {
    socket.setSoTimeout(SHORT_MILLIS);
    try {
      in.readLine();
      return false;
    } catch (SocketTimeoutException silence) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
