package dev.twophase.benchmarks.run;

import java.util.List;
import java.util.stream.Stream;

/** What every forked JVM is started with. */
public final class JvmFlags {

  /** Flink reaches into these on Java 17; its own start scripts open them too. */
  public static final List<String> OPENS =
      Stream.of("lang", "util", "util.concurrent", "time", "net")
          .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
          .toList();

  private JvmFlags() {}
}
