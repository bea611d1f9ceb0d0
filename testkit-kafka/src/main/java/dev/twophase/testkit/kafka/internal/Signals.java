package dev.twophase.testkit.kafka.internal;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** SIGSTOP and SIGCONT, which the JDK cannot send. */
final class Signals {

  private static final long SECONDS = 10;

  private Signals() {}

  static void stop(long pid) throws IOException {
    send("STOP", pid);
  }

  static void resume(long pid) throws IOException {
    send("CONT", pid);
  }

  /**
   * A frozen process cannot notice that its parent has died: this one, which lives as long as its
   * input is open, kills it then.
   */
  static Process killWhenParentDies(long pid) throws IOException {
    return shell("read _; kill -KILL " + pid);
  }

  private static void send(String signal, long pid) throws IOException {
    Process kill = shell("kill -" + signal + " " + pid);
    try {
      if (!kill.waitFor(SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new IOException("SIG" + signal + " could not be sent to process " + pid);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while sending SIG" + signal, interrupted);
    }
  }

  private static Process shell(String command) throws IOException {
    return new ProcessBuilder("sh", "-c", command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
