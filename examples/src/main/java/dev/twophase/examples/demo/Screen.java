package dev.twophase.examples.demo;

import dev.twophase.examples.faults.FaultPlan;
import java.io.Console;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The terminal: lines that stay, and below them one that tells where the runs stand. Without a
 * terminal that one is printed now and then as a line of its own. Thread-safe.
 */
final class Screen {

  private static final long SECONDS_BETWEEN_LINES = 10;
  private static final long SECONDS_BEFORE_FIRST_LINE = 2;

  private final PrintStream out;
  private final boolean terminal;
  private final long startedAt = System.nanoTime();
  private long nextLineAt = startedAt + TimeUnit.SECONDS.toNanos(SECONDS_BEFORE_FIRST_LINE);
  private int width;

  Screen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** A line that stays. */
  synchronized void line(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  /** Where the runs stand now. */
  synchronized void progress(List<RunProcess> runs) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedAt);
    if (!terminal && System.nanoTime() < nextLineAt) {
      return;
    }
    nextLineAt += TimeUnit.SECONDS.toNanos(SECONDS_BETWEEN_LINES);
    List<String> parts = new ArrayList<>();
    parts.add(String.format(Locale.ROOT, "%3d s", seconds));
    for (RunProcess run : runs) {
      parts.add(run.name() + " " + describe(run));
    }
    String text = String.join(" | ", parts);
    if (terminal) {
      clear();
      out.print(text);
      width = text.length();
    } else {
      out.println(text);
    }
    out.flush();
  }

  private static String describe(RunProcess run) {
    Optional<FaultPlan.Progress> progress = run.progress();
    if (progress.isEmpty()) {
      return "starting";
    }
    FaultPlan.Progress at = progress.get();
    long percent = 100 * at.emitted() / run.spec().records();
    return percent + " %, " + (at.struck() ? "recovering" : "checkpoint " + at.checkpoint());
  }

  private void clear() {
    if (terminal && width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      width = 0;
    }
  }

  /** Whether standard output is a terminal, as far as the JDK tells. */
  @SuppressWarnings("SystemConsoleNull") // what follows takes care of newer JDKs
  static boolean isTerminal() {
    @Nullable Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From 22 on a console exists in any case, and this method tells.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException before22) {
      return true;
    }
  }
}
