package dev.twophase.file.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.file.Sinks;
import dev.twophase.file.TransactionalFileSink;
import dev.twophase.file.manifest.ManifestReader;
import dev.twophase.file.upkeep.SavedTransactions;
import dev.twophase.file.upkeep.SinkDirectory;
import dev.twophase.policy.RewindPolicy;
import dev.twophase.policy.SinkOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each line of the guide's table on going back, cloning and starting anew, in real jobs. */
@Timeout(value = 240)
class RewindJobTest {

  private static final long RECORDS = 6_000;
  private static final long PAUSE_NANOS = 200_000;

  /** Of a job that must not have ended when it is stopped, however slow the machine is. */
  private static final long LONG_PAUSE_NANOS = 20_000_000;

  // Savepoints name the directory, so that all tests need one of the same name.
  @TempDir static Path directory;
  @TempDir static Path savepoints;
  @TempDir static Path asStopped;
  private static Path older;
  private static Path newer;
  private static long atOlder;
  private static long atNewer;

  @TempDir Path elsewhere;

  /** A line of two savepoints, with records published before and between. */
  @BeforeAll
  static void history() throws Exception {
    older = stop(startIn(directory, null, SinkOptions.defaults(), LONG_PAUSE_NANOS));
    atOlder = requireWholePrefix();
    newer = stop(startIn(directory, older, SinkOptions.defaults(), LONG_PAUSE_NANOS));
    atNewer = requireWholePrefix();
    assertThat(atNewer).isGreaterThan(atOlder);
    FileUtils.copyDirectory(directory.toFile(), asStopped.toFile());
  }

  @BeforeEach
  void asItWasStopped() throws Exception {
    FileUtils.cleanDirectory(directory.toFile());
    FileUtils.copyDirectory(asStopped.toFile(), directory.toFile());
  }

  @Test
  void R6_goingBackIsRefusedUntilWhatWasPublishedSinceIsRetiredAndThenExact() throws Exception {
    String refusal = failureOf(start(older, SinkOptions.defaults()));
    assertThat(refusal)
        .contains(
            "Sink 'orders' was started from checkpoint",
            "already committed",
            "rewindPolicy is FAIL",
            "out of " + directory + " by SinkDirectory.retirePublishedSince(",
            "SinkOptions.withRewindPolicy(RewindPolicy.ACCEPT)");
    assertThat(failureOf(start(null, SinkOptions.defaults())))
        .contains("Sink 'orders' was started from no checkpoint", "already committed");
    assertThat(requireWholePrefix()).as("a refusal changes nothing").isEqualTo(atNewer);

    try (SinkDirectory upkeep = SinkDirectory.of(directory, "orders")) {
      assertThat(upkeep.findOrphans(SavedTransactions.in(older, "orders"))).isEmpty();
      assertThat(upkeep.retirePublishedSince(checkpointIn(refusal))).isNotEmpty();
    }
    assertThat(requireWholePrefix()).as("exactly what the savepoint covers").isEqualTo(atOlder);

    finish(start(older, SinkOptions.defaults()));
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, RECORDS).boxed().toList());
    assertThat(listed()).isEqualTo(numbers());
  }

  @Test
  void R6_acceptedTheRecordsInBetweenAreThereTwiceAndAllOthersOnce() throws Exception {
    finish(start(older, SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT)));

    List<Long> expected =
        Stream.concat(
                LongStream.rangeClosed(1, RECORDS).boxed(),
                LongStream.rangeClosed(atOlder + 1, atNewer).boxed())
            .sorted()
            .toList();
    assertThat(numbers()).isEqualTo(expected);
  }

  @Test
  void R6_aSavepointOfTheAbandonedLineIsRefusedAlsoWhereItsNumberIsHigherThanAnyOfTheNewOne()
      throws Exception {
    SinkOptions accepting = SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT);
    TransactionalFileSink<String> sink = NumbersJob.sink(directory).manifests().options(accepting);
    // Ends within fewer checkpoints than the two that led to the savepoint.
    NumbersJob.of(new Configuration(), sink, 20, 3, 0).execute();
    List<Path> published = Sinks.visible(directory);

    assertThat(failureOf(start(newer, SinkOptions.defaults())))
        .contains(
            "of a line that left this checkpoint behind, is already committed",
            "Restore from the latest checkpoint of the job that took the place of this one",
            "since the two jobs parted",
            "start without state");
    assertThat(Sinks.visible(directory)).isEqualTo(published);
  }

  @Test
  void R6_aCloneBesideTheOriginalIsRefusedAndTheOriginalGoesOn() throws Exception {
    JobClient original = start(newer, SinkOptions.defaults());

    assertThat(failureOf(start(newer, SinkOptions.defaults()))).contains("already committed");

    finish(original);
    assertThat(failureOf(start(newer, SinkOptions.defaults())))
        .as("a clone after the original")
        .contains("already committed");
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, RECORDS).boxed().toList());
  }

  @Test
  void R6_aCloneElsewhereIsRefusedWhileItsStateHoldsFilesOfTheFormerDirectory() throws Exception {
    assertThat(failureOf(startIn(elsewhere, newer, SinkOptions.defaults(), PAUSE_NANOS)))
        .contains("Files were prepared in " + directory, "is now " + elsewhere);
    assertThat(Sinks.visible(elsewhere)).isEmpty();
  }

  @Test
  void R6_afterAStopTheSinkGoesOnElsewhereUnderAnotherUidAndNothingIsMissingOrDoubled()
      throws Exception {
    assertThat(Sinks.hidden(directory)).noneMatch(path -> path.startsWith(".twophase/orders"));
    Configuration configuration = new Configuration();
    configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, newer.toUri().toString());
    configuration.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    TransactionalFileSink<String> moved = NumbersJob.sink(elsewhere);

    finish(
        NumbersJob.of(configuration, moved, RECORDS, 3, PAUSE_NANOS, "sink-elsewhere")
            .executeAsync());

    List<Long> further = new ArrayList<>();
    for (String line : Sinks.lines(elsewhere)) {
      further.add(NumbersJob.number(line));
    }
    assertThat(further.stream().sorted().toList())
        .isEqualTo(LongStream.rangeClosed(atNewer + 1, RECORDS).boxed().toList());
    assertThat(requireWholePrefix()).isEqualTo(atNewer);
  }

  @Test
  void R6_ofTwoRunningJobsOfOneNameTheLaterGoesOnAndTheFormerIsStopped() throws Exception {
    JobClient former =
        startOn(
            NumbersJob.sink(directory).manifests().prefix("former"),
            directory,
            newer,
            LONG_PAUSE_NANOS);
    JobClient later = start(newer, SinkOptions.defaults().withRewindPolicy(RewindPolicy.ACCEPT));

    assertThat(failureOf(former)).contains("Sink 'orders'", later.getJobID().toString());
    finish(later);
    assertThat(numbers("part"))
        .as("before the two, and of the later")
        .isEqualTo(LongStream.rangeClosed(1, RECORDS).boxed().toList());
    assertThat(numbers("former"))
        .as("before it was stopped")
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allMatch(number -> number > atNewer && number <= RECORDS);
  }

  private static JobClient start(@Nullable Path from, SinkOptions options) throws Exception {
    return startIn(directory, from, options, PAUSE_NANOS);
  }

  /** Runs until it has published something, unless it is refused. */
  private static JobClient startIn(
      Path directory, @Nullable Path from, SinkOptions options, long pauseNanos) throws Exception {
    return startOn(
        NumbersJob.sink(directory).manifests().options(options), directory, from, pauseNanos);
  }

  private static JobClient startOn(
      TransactionalFileSink<String> sink, Path directory, @Nullable Path from, long pauseNanos)
      throws Exception {
    long before = Sinks.visible(directory).size();
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    if (from != null) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, from.toUri().toString());
    }
    JobClient job = NumbersJob.of(configuration, sink, RECORDS, 3, pauseNanos).executeAsync();
    while (Sinks.visible(directory).size() < before + 4 && !hasEnded(job)) {
      LockSupport.parkNanos(10_000_000);
    }
    return job;
  }

  private static boolean hasEnded(JobClient job) {
    return job.getJobExecutionResult().isDone();
  }

  private static Path stop(JobClient job) throws Exception {
    return Path.of(
        URI.create(
            job.stopWithSavepoint(
                    false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS)));
  }

  private static void finish(JobClient job) throws Exception {
    job.getJobExecutionResult().get(120, TimeUnit.SECONDS);
  }

  private static String failureOf(JobClient job) {
    StringBuilder causes = new StringBuilder();
    assertThatThrownBy(() -> job.getJobExecutionResult().get(60, TimeUnit.SECONDS))
        .satisfies(
            failure -> {
              for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                causes.append(cause.getMessage()).append('\n');
              }
            });
    return causes.toString();
  }

  private static long checkpointIn(String refusal) {
    Matcher matcher = Pattern.compile("from checkpoint (\\d+)").matcher(refusal);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /** The records from 1 up to some number, each once: that number. */
  private static long requireWholePrefix() throws Exception {
    List<Long> numbers = numbers();
    assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, numbers.size()).boxed().toList());
    return numbers.size();
  }

  private static List<Long> numbers() throws Exception {
    return numbers("");
  }

  /** Those in files of a prefix. */
  private static List<Long> numbers(String prefix) throws Exception {
    List<Long> numbers = new ArrayList<>();
    for (Path file : Sinks.visible(directory)) {
      if (!file.toString().startsWith("_") && file.getFileName().toString().startsWith(prefix)) {
        add(file, numbers);
      }
    }
    return numbers.stream().sorted().toList();
  }

  private static List<Long> listed() throws Exception {
    ManifestReader reader = ManifestReader.of(directory, "orders");
    return Sinks.lines(reader, reader.readAll()).stream().map(NumbersJob::number).sorted().toList();
  }

  private static void add(Path file, List<Long> numbers) throws Exception {
    for (String line : Files.readAllLines(directory.resolve(file))) {
      numbers.add(NumbersJob.number(line));
    }
  }
}
