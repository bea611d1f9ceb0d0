package dev.twophase.benchmarks.run;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The JVM of a contender: a round for each line it reads, until its parent closes the pipe. */
public final class ContenderMain {

  static final String ANSWER = "measured ";

  private ContenderMain() {}

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (BufferedReader requests =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Contender contender =
            Class.forName(args[0])
                .asSubclass(Contender.class)
                .getDeclaredConstructor()
                .newInstance()) {
      contender.open(args[1], Path.of(args[2]), Double.parseDouble(args[3]));
      while (requests.readLine() != null) {
        answers.println(ANSWER + contender.round().text());
        answers.flush();
      }
    }
    // Whatever threads a sink or a cluster has left must not keep the process.
    System.exit(0);
  }
}
