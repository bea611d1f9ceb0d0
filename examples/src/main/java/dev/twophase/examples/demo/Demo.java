package dev.twophase.examples.demo;

import dev.twophase.examples.faults.Sabotage;
import dev.twophase.examples.faults.Stretches;
import dev.twophase.examples.lines.LineIndex;
import dev.twophase.examples.place.KafkaPlace;
import dev.twophase.examples.place.TablePlace;
import dev.twophase.examples.place.WorkDirectory;
import dev.twophase.examples.run.RunSpec;
import dev.twophase.examples.run.SinkApi;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
    name = "demo",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Runs two Flink jobs exactly-once while they are made to fail at every step of the protocol:"
          + " one copies lines of text to files, and beside it the same job at-least-once; one"
          + " counts them from a Kafka topic to another and to a table in PostgreSQL. Then counts"
          + " again what is lost and what is there twice.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every fault struck, nothing is lost, nothing is there twice",
      "1:records are lost, duplicated or foreign",
      "2:the run proves nothing: a planned fault did not strike, or it did the control no harm",
      "3:the run broke: a job failed for good, or a process died",
      "64:bad arguments"
    },
    exitCodeOnInvalidInput = ExitCode.BAD_ARGUMENTS,
    exitCodeOnExecutionException = ExitCode.BROKEN)
public final class Demo implements Callable<Integer> {

  private static final int MOST_FAULTS = 24;
  private static final int MOST_PARALLEL = 8;
  private static final double MOST_SECONDS = 600;
  private static final long MOST_RECORDS = 50_000_000;
  // Kafka's default for a request is 1 MiB; the rest is for what is stored with the line.
  private static final long LONGEST_LINE_IN_KAFKA = 900_000;

  private static final long SPACE = 200L << 20;
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--input",
      paramLabel = "DIR",
      description = "Directory to read, with all below it. Default: the licences of this JDK.")
  private Path input = Path.of(System.getProperty("java.home"), "legal");

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "New or empty directory to write to: data, checkpoints, logs. Default: a temporary one,"
              + " removed at the end.")
  private @Nullable Path output;

  @Option(
      names = "--only",
      paramLabel = "SINK",
      converter = Choices.Only.class,
      description = "Run only the job that writes there: files or kafka.")
  private Target only = Target.BOTH;

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT",
      description =
          "Kafka cluster to use, in new topics that are deleted at the end. Default: a broker"
              + " started for this run.")
  private @Nullable String bootstrapServers;

  @Option(
      names = "--client-properties",
      paramLabel = "FILE",
      description =
          "Properties of Kafka clients, for SASL and TLS, as for --command-config of Kafka's own"
              + " tools. Default: none.")
  private @Nullable Path clientProperties;

  @Option(
      names = "--sink-api",
      paramLabel = "API",
      converter = Choices.Api.class,
      description = "Flink's sink API to go through: v2 or function. Default: v2.")
  private SinkApi sinkApi = SinkApi.V2;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description =
          "Subtasks of the sink, 1 to " + MOST_PARALLEL + "; rescaled to one more. Default: 2.")
  private int parallelism = 2;

  @Option(
      names = "--faults",
      paramLabel = "N",
      description =
          "Number of faults, 1 to "
              + MOST_FAULTS
              + ", besides the rescaling. There are 8 kinds. Default: 8.")
  private int faults = 8;

  @Option(
      names = "--seconds-per-fault",
      paramLabel = "S",
      description = "Time the source takes for each, 1 to 600. Default: 5.")
  private double secondsPerFault = 5;

  @Option(
      names = "--patience",
      paramLabel = "S",
      description = "Seconds for a fault to strike and the job to recover, 1 to 600. Default: 60.")
  private double patience = 60;

  @Option(
      names = "--sabotage",
      paramLabel = "HOW",
      converter = Choices.How.class,
      description =
          "Break the sink, to see that it is noticed: early-commit (before the checkpoint is"
              + " complete) or drop-commit (now and then reported but not done).")
  private Sabotage sabotage = Sabotage.NONE;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks at the annotation only
  private boolean help;

  private final PrintStream out;

  Demo(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) {
    // What clients log here is no news: the processes that run the jobs have logs of their own.
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
    System.exit(run(System.out, arguments));
  }

  /** Runs the demo and returns its exit code. */
  static int run(PrintStream out, String... arguments) {
    CommandLine commandLine = new CommandLine(new Demo(out));
    commandLine.setParameterExceptionHandler(
        (error, ignored) -> {
          out.println(error.getMessage());
          out.println("All options: --help");
          return ExitCode.BAD_ARGUMENTS;
        });
    commandLine.setExecutionExceptionHandler(
        (error, ignored, parsed) -> {
          out.println("The demo broke: " + error);
          return ExitCode.BROKEN;
        });
    return commandLine.execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    LineIndex index = check();
    Path work = output == null ? WorkDirectory.temporary() : Files.createDirectories(output);
    List<RunSpec> specs = new ArrayList<>();
    long records = index.total();
    if (only != Target.KAFKA) {
      specs.add(spec(work.resolve("exactly-once"), DeliveryGuarantee.EXACTLY_ONCE, records));
      if (sabotage == Sabotage.NONE) {
        specs.add(spec(work.resolve("at-least-once"), DeliveryGuarantee.AT_LEAST_ONCE, records));
      }
    }
    if (only == Target.FILES) {
      return run(index, work, specs);
    }
    try (KafkaPlace kafka = kafka();
        TablePlace table = TablePlace.ofItsOwn()) {
      specs.add(
          spec(work.resolve("kafka"), DeliveryGuarantee.EXACTLY_ONCE, records)
              .through(kafka.topics())
              .writingTo(table.table()));
      if (sabotage == Sabotage.NONE) {
        specs.add(
            spec(work.resolve("kafka-at-least-once"), DeliveryGuarantee.AT_LEAST_ONCE, records)
                .through(kafka.control()));
      }
      return run(index, work, specs);
    }
  }

  private KafkaPlace kafka() throws IOException, InterruptedException {
    if (bootstrapServers == null) {
      return KafkaPlace.ofItsOwn();
    }
    try {
      return KafkaPlace.at(
          bootstrapServers, Optional.ofNullable(clientProperties).map(Demo::absolute));
    } catch (KafkaException unusable) {
      Throwable reason = unusable.getCause() == null ? unusable : unusable.getCause();
      throw refuse(
          "--bootstrap-servers",
          bootstrapServers,
          "name brokers as HOST:PORT, with commas between them, and see that --client-properties"
              + " suit them ("
              + reason.getMessage()
              + ")");
    }
  }

  private int run(LineIndex index, Path work, List<RunSpec> specs) throws Exception {
    Screen screen = new Screen(out, Screen.isTerminal());
    screen.line(
        String.format(
            Locale.ROOT,
            "%,d lines of %,d files in %s; about %.0f s; output in %s%s",
            index.total(),
            index.files().size(),
            input,
            secondsPerFault * specs.get(0).stretches().count() + 10,
            work,
            output == null ? ", removed at the end (--output DIR keeps it)" : ""));
    return new Experiment(screen, specs).run();
  }

  private LineIndex check() throws IOException {
    checkRange("--parallelism", parallelism, 1, MOST_PARALLEL);
    checkRange("--faults", faults, 1, MOST_FAULTS);
    checkRange("--seconds-per-fault", secondsPerFault, 1, MOST_SECONDS);
    checkRange("--patience", patience, 1, MOST_SECONDS);
    if (sabotage == Sabotage.EARLY_COMMIT && faults < 2) {
      throw refuse("--faults", faults, "use at least 2, the second is the one it cannot survive");
    }
    if (bootstrapServers != null && only == Target.FILES) {
      throw refuse("--bootstrap-servers", bootstrapServers, "leave --only files away to use it");
    }
    if (clientProperties != null) {
      if (bootstrapServers == null) {
        throw refuse(
            "--client-properties", clientProperties, "name the cluster with --bootstrap-servers");
      }
      if (!Files.isRegularFile(clientProperties) || !Files.isReadable(clientProperties)) {
        throw refuse(
            "--client-properties", clientProperties, "name a file that exists and can be read");
      }
    }
    if (input.toString().isEmpty() || !Files.isDirectory(input) || !Files.isReadable(input)) {
      throw refuse("--input", input, "name a directory that exists and can be read");
    }
    if (output != null) {
      checkOutput(output);
      checkSpace("--output", output);
    }
    checkSpace("java.io.tmpdir", TEMPORARY);
    LineIndex index;
    try {
      checkNotRead();
      index = LineIndex.of(input);
    } catch (IOException unreadable) {
      throw refuse(
          "--input", input, "name one in which every file can be read (" + unreadable + ")");
    }
    if (only != Target.FILES) {
      checkLinesFitKafka(index);
    }
    long fewest = (long) Stretches.FEWEST_RECORDS * new Stretches(0, faults + 2).count();
    if (index.total() < fewest || index.total() > MOST_RECORDS) {
      throw refuse(
          "--input",
          input,
          String.format(
              Locale.ROOT,
              "it has %,d lines; name one with %,d to %,d, or change --faults",
              index.total(),
              fewest,
              MOST_RECORDS));
    }
    return index;
  }

  private void checkLinesFitKafka(LineIndex index) {
    for (LineIndex.Entry file : index.files()) {
      if (file.longest() > LONGEST_LINE_IN_KAFKA) {
        throw refuse(
            "--input",
            input,
            String.format(
                Locale.ROOT,
                "line %,d of %s has %,d bytes, and Kafka takes records of %,d here: shorten it, or"
                    + " use --only files",
                file.longestLine(),
                file.name(),
                file.longest(),
                LONGEST_LINE_IN_KAFKA));
      }
    }
  }

  private void checkOutput(Path directory) throws IOException {
    if (Files.exists(directory)) {
      if (!Files.isDirectory(directory)) {
        throw refuse("--output", directory, "it is not a directory: name a new or empty one");
      }
      try (Stream<Path> content = Files.list(directory)) {
        if (content.findAny().isPresent()) {
          throw refuse("--output", directory, "it is not empty: name a new or empty directory");
        }
      }
    }
    Path existing = existing(directory);
    if (!Files.isDirectory(existing) || !canWriteTo(existing)) {
      throw refuse(
          "--output", directory, "nothing can be written there: name a writable directory");
    }
  }

  /** Or else the run would read what it writes, for ever. */
  private void checkNotRead() throws IOException {
    if (output != null && LineIndex.reads(input, output)) {
      throw refuse("--output", output, "it lies in the input: name a directory outside it");
    }
    if (output == null && LineIndex.reads(input, TEMPORARY)) {
      throw refuse(
          "--input",
          input,
          "it holds "
              + TEMPORARY
              + ", where the demo writes: name another, or a place by --output");
    }
  }

  private void checkSpace(String option, Path directory) throws IOException {
    Path existing = existing(directory);
    long free = Files.getFileStore(existing).getUsableSpace();
    if (free < SPACE) {
      throw refuse(
          option,
          directory,
          String.format(
              Locale.ROOT,
              "%,d MB are free there, and the demo may need %,d: make room, or name another place",
              free >> 20,
              SPACE >> 20));
    }
  }

  private static boolean canWriteTo(Path directory) {
    try {
      Files.delete(Files.createTempFile(directory, ".twophase-", ".probe"));
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** The directory itself, or the nearest above it that exists. */
  private static Path existing(Path directory) {
    Path existing = absolute(directory);
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    return existing;
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private void checkRange(String option, double value, double lowest, double highest) {
    if (!(value >= lowest && value <= highest)) {
      throw refuse(option, value, String.format(Locale.ROOT, "use %.0f to %.0f", lowest, highest));
    }
  }

  private ParameterException refuse(String option, Object value, String remedy) {
    String shown =
        value instanceof Double number && number == Math.rint(number)
            ? String.format(Locale.ROOT, "%.0f", number)
            : value.toString();
    return new ParameterException(command.commandLine(), option + " is " + shown + ": " + remedy);
  }

  private RunSpec spec(Path work, DeliveryGuarantee guarantee, long records) {
    return new RunSpec(
        absolute(input),
        absolute(work),
        records,
        Optional.empty(),
        Optional.empty(),
        sinkApi,
        guarantee,
        sabotage,
        parallelism,
        faults,
        secondsPerFault,
        patience);
  }
}
