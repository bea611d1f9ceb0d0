package dev.twophase.benchmarks;

import dev.twophase.benchmarks.core.CoreComparison;
import dev.twophase.benchmarks.file.FileComparison;
import dev.twophase.benchmarks.filebuckets.FileBucketsComparison;
import dev.twophase.benchmarks.filecommit.FileCommitComparison;
import dev.twophase.benchmarks.filecommit.HdfsCommitComparison;
import dev.twophase.benchmarks.fileparquet.FileParquetComparison;
import dev.twophase.benchmarks.jdbc.JdbcComparison;
import dev.twophase.benchmarks.jdbc.JdbcRecoveryComparison;
import dev.twophase.benchmarks.kafka.KafkaComparison;
import dev.twophase.benchmarks.kafka.KafkaRecoveryComparison;
import dev.twophase.benchmarks.run.Comparison;
import dev.twophase.benchmarks.run.RunSettings;
import dev.twophase.benchmarks.run.Scratch;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs one comparison; its last line is {@code ratio NAME median M min A max B}. */
@Command(
    name = "java -jar benchmarks.jar",
    description = {
      "Compares this library with the sinks people use today: both in turns, in one process tree.",
      "The last line is 'ratio NAME median M min A max B'; above 1 = ours is better.",
      ""
    },
    sortOptions = false)
public final class Main implements Callable<Integer> {

  private static final int LEAST_ROUNDS = 5;
  private static final int WIDTH = 100;

  private static final List<Comparison> COMPARISONS =
      List.of(
          new CoreComparison(),
          new FileComparison(),
          new FileCommitComparison(),
          new FileBucketsComparison(),
          new HdfsCommitComparison(),
          new FileParquetComparison(),
          new KafkaComparison(),
          new KafkaRecoveryComparison(),
          new JdbcComparison(),
          new JdbcRecoveryComparison());

  private final PrintStream out;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "the comparison to run")
  private @Nullable String name;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "measured rounds after the warm-up, at least " + LEAST_ROUNDS)
  private int rounds;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "where files are written (default: java.io.tmpdir); a memory disk flatters")
  private @Nullable Path directory;

  @Option(
      names = "--profile",
      paramLabel = "DIR",
      description = "leave a flight recording of each contender there")
  private @Nullable Path profiles;

  @Option(names = "--help", usageHelp = true, description = "show this and the list")
  @SuppressWarnings("UnusedVariable") // read by picocli
  private boolean help;

  Main(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    System.exit(commandLine(System.out).execute(args));
  }

  static CommandLine commandLine(PrintStream out) {
    CommandLine commandLine = new CommandLine(new Main(out));
    commandLine.setUsageHelpWidth(WIDTH);
    commandLine.getCommandSpec().usageMessage().footer(list().split("\n"));
    return commandLine;
  }

  private static String list() {
    return "\nComparisons:\n"
        + COMPARISONS.stream()
            .map(one -> String.format("  %-15s %s", one.name(), one.summary()))
            .collect(Collectors.joining("\n"));
  }

  @Override
  public Integer call() throws Exception {
    CommandLine commandLine = commandLine();
    String wanted = name;
    if (wanted == null) {
      commandLine.usage(out);
      return 0;
    }
    Comparison comparison =
        COMPARISONS.stream()
            .filter(one -> one.name().equals(wanted))
            .findFirst()
            .orElseThrow(() -> new ParameterException(commandLine, unknown(wanted)));
    if (rounds < LEAST_ROUNDS) {
      throw new ParameterException(
          commandLine, "--rounds must be at least " + LEAST_ROUNDS + ": " + rounds);
    }
    try (Scratch scratch = Scratch.under(Optional.ofNullable(directory))) {
      RunSettings settings =
          new RunSettings(rounds, 1, scratch.path(), Optional.ofNullable(profiles));
      String last = comparison.run(settings, out).line();
      out.println();
      out.println(last);
    }
    return 0;
  }

  private static String unknown(String name) {
    return "Unknown comparison '"
        + name
        + "'; there are "
        + COMPARISONS.stream().map(Comparison::name).collect(Collectors.joining(", "));
  }

  private CommandLine commandLine() {
    if (spec == null) {
      throw new IllegalStateException("Not started from a command line");
    }
    return spec.commandLine();
  }
}
