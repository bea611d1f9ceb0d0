package dev.twophase.testkit.internal.fork;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.internal.cluster.Clusters;
import dev.twophase.testkit.internal.trace.Repetition;
import dev.twophase.testkit.schedule.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs schedules in a fork, and replaces a fork that dies or hangs. Not thread-safe. */
public final class ForkedReplay implements AutoCloseable {

  /** More than the longest schedule takes on a busy machine, all its waits included. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String sink;
  private @Nullable Fork fork;
  private @Nullable Path directory;

  /** Nothing is started before the first schedule. */
  public ForkedReplay(Class<? extends SinkUnderTest<?>> sink) {
    this.sink = sink.getName();
    if (Stream.of(sink.getDeclaredConstructors()).noneMatch(c -> c.getParameterCount() == 0)) {
      throw new IllegalArgumentException(
          this.sink
              + " has no constructor without parameters: another process must be able to make it");
    }
  }

  /**
   * Runs a schedule, and five times if it accuses the sink: where no two runs are quite alike, what
   * does not repeat is none.
   */
  public Judgement replay(Schedule schedule) {
    Judgement first = once(schedule);
    for (int run = 1; first.verdict().accuses() && run < Repetition.RUNS_ON_REAL_SERVERS; run++) {
      Judgement next = once(schedule);
      if (next.verdict() != first.verdict()) {
        return Repetition.refuted(first, next);
      }
    }
    return first;
  }

  /** A fork that dies is given a second chance, one that hangs is not. */
  private Judgement once(Schedule schedule) {
    try {
      return fork().replay(schedule, PATIENCE);
    } catch (IOException firstDeath) {
      end();
    } catch (TimeoutException hangs) {
      end();
      return inconclusive(schedule, "no verdict within " + PATIENCE + ": the process was ended");
    }
    try {
      return fork().replay(schedule, PATIENCE);
    } catch (IOException | TimeoutException again) {
      end();
      return inconclusive(schedule, "twice in a row " + again.getMessage());
    }
  }

  /**
   * Runs a schedule once more, followed closely, and writes a report.
   *
   * @return the page
   * @throws IOException if there is none
   */
  public Path report(Schedule schedule) throws IOException {
    try {
      Messages.Written written = fork().report(schedule, PATIENCE);
      if (!written.error().isEmpty()) {
        throw new IOException("The report could not be written: " + written.error());
      }
      return Path.of(written.path());
    } catch (TimeoutException hangs) {
      end();
      throw new IOException("no report within " + PATIENCE + ": the process was ended", hangs);
    }
  }

  private static Judgement inconclusive(Schedule schedule, String why) {
    return new Judgement(
        schedule, Verdict.INCONCLUSIVE, Set.of(Verdict.INCONCLUSIVE), List.of(), List.of(), why);
  }

  private Fork fork() throws IOException {
    Fork running = fork;
    if (running == null) {
      Path place = Clusters.temporaryDirectory();
      running = new Fork(sink, place);
      directory = place;
      fork = running;
    }
    return running;
  }

  private void end() {
    Fork running = fork;
    if (running != null) {
      running.close();
      fork = null;
    }
    Path place = directory;
    if (place != null) {
      directory = null;
      remove(place);
    }
  }

  private static void remove(Path place) {
    try {
      Clusters.remove(place);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + place, e);
    }
  }

  @Override
  public void close() {
    end();
  }
}
