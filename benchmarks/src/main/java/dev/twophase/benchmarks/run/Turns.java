package dev.twophase.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets contenders take turns: a warm-up, then the rounds. Every other round runs in reverse order,
 * so that whoever disturbs the next one (a disk still busy, say) disturbs both sides alike.
 */
public final class Turns {

  private final Map<String, List<Measurement>> measured = new LinkedHashMap<>();

  private Turns() {}

  /** Runs all rounds after one that warms up, printing a line per turn. */
  public static Turns take(List<Entrant> entrants, RunSettings settings, PrintStream out)
      throws IOException {
    return take(entrants, 1, settings, out);
  }

  /** Runs all rounds after so many that warm up, printing a line per turn. */
  public static Turns take(
      List<Entrant> entrants, int warmUps, RunSettings settings, PrintStream out)
      throws IOException {
    Turns turns = new Turns();
    Map<String, ContenderProcess> processes = new LinkedHashMap<>();
    try {
      for (Entrant entrant : entrants) {
        processes.put(entrant.label(), ContenderProcess.start(entrant, settings));
        turns.measured.put(entrant.label(), new ArrayList<>());
      }
      turns.all(processes, warmUps, settings.rounds(), out);
    } finally {
      for (ContenderProcess process : processes.values()) {
        process.close();
      }
    }
    return turns;
  }

  private void all(
      Map<String, ContenderProcess> processes, int warmUps, int rounds, PrintStream out)
      throws IOException {
    List<String> order = new ArrayList<>(processes.keySet());
    for (int round = 1 - warmUps; round <= rounds; round++) {
      for (String label : order) {
        ContenderProcess process = processes.get(label);
        if (process == null) {
          throw new IllegalStateException("No process for " + label);
        }
        Measurement measurement = process.round();
        String which = round < 1 ? "warm-up" : "round " + round + " of " + rounds;
        out.printf("%-13s %-22s %s%n", which, label, measurement.rounded());
        if (round > 0) {
          figuresOf(label).add(measurement);
        }
      }
      Collections.reverse(order);
    }
  }

  private List<Measurement> figuresOf(String label) {
    List<Measurement> figures = measured.get(label);
    if (figures == null) {
      throw new IllegalArgumentException("No contender '" + label + "' in " + measured.keySet());
    }
    return figures;
  }

  /**
   * One figure of one contender, as the mean of each two turns. These ran in opposite orders, so
   * that a machine that becomes slower or faster meanwhile does so for all contenders alike.
   */
  public List<Double> meanOfTwo(String label, String figure) {
    List<Double> each = figure(label, figure);
    List<Double> means = new ArrayList<>();
    for (int turn = 0; turn + 1 < each.size(); turn += 2) {
      means.add((each.get(turn) + each.get(turn + 1)) / 2);
    }
    return means;
  }

  /** One figure of one contender, round by round. */
  public List<Double> figure(String label, String figure) {
    return figuresOf(label).stream().map(measurement -> measurement.get(figure)).toList();
  }
}
