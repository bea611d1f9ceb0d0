package dev.twophase.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contenders in JVMs of their own. */
class TurnsTest {

  @TempDir Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private Turns take(int rounds, String... variants) throws IOException {
    List<Entrant> entrants =
        List.of(variants).stream()
            .map(name -> new Entrant(name, Counting.class, name, List.of("-Xmx32m")))
            .toList();
    RunSettings settings = new RunSettings(rounds, 0.5, directory, Optional.empty());
    return Turns.take(entrants, settings, new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @Test
  void warmUpIsNotCounted() throws Exception {
    Turns turns = take(3, "a", "b");
    assertThat(turns.figure("a", "round")).containsExactly(2.0, 3.0, 4.0);
    assertThat(turns.figure("b", "scale")).containsExactly(0.5, 0.5, 0.5);
  }

  @Test
  void contendersTakeTurnsInAlternatingOrder() throws Exception {
    take(2, "a", "b");
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .map(line -> line.substring(0, 15).strip())
        .containsExactly(
            "warm-up       a",
            "warm-up       b",
            "round 1 of 2  b",
            "round 1 of 2  a",
            "round 2 of 2  a",
            "round 2 of 2  b");
  }

  @Test
  void contenderThatFailsEndsTheComparison() {
    assertThatThrownBy(() -> take(1, "fails in round 2"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fails in round 2");
  }

  /** Tells how often it has been asked. */
  public static final class Counting implements Contender {

    private boolean fails;
    private double scale;
    private int round;

    @Override
    public void open(String variant, Path working, double factor) {
      fails = variant.startsWith("fails");
      scale = factor;
    }

    @Override
    public Measurement round() {
      round++;
      if (fails && round == 2) {
        throw new IllegalStateException("Planned by the test");
      }
      System.out.println("measured by chatter on standard output that must not be taken for it");
      return new Measurement(Map.of("round", (double) round, "scale", scale));
    }

    @Override
    public void close() {}
  }
}
