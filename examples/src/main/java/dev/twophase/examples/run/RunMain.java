package dev.twophase.examples.run;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The process in which one run takes place; tells {@link RunMessage}s on its standard output. Ends
 * at once when its standard input does, so that it never outlives the process that started it.
 */
public final class RunMain {

  private RunMain() {}

  public static void main(String[] arguments) {
    endWithParent();
    PrintStream out = System.out;
    RunEnd end;
    try {
      end = new Run(RunSpec.parse(arguments), message -> print(out, message)).toTheEnd();
    } catch (Exception error) {
      print(out, new RunMessage.Failed(error.toString()));
      error.printStackTrace();
      end = RunEnd.FAILED;
    }
    out.flush();
    // Threads of the cluster may linger; nothing is left for them to do.
    Runtime.getRuntime().halt(end.exitCode());
  }

  private static void print(PrintStream out, RunMessage message) {
    out.println(RunMessage.format(message));
    out.flush();
  }

  private static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                System.in.transferTo(OutputStream.nullOutputStream());
              } catch (IOException gone) {
                System.err.println("Standard input is gone: " + gone);
              }
              Runtime.getRuntime().halt(RunEnd.FAILED.exitCode());
            },
            "end with parent");
    watch.setDaemon(true);
    watch.start();
  }
}
