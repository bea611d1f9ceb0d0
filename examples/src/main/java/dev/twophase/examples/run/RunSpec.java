package dev.twophase.examples.run;

import dev.twophase.examples.faults.FaultKind;
import dev.twophase.examples.faults.Sabotage;
import dev.twophase.examples.faults.Stretches;
import dev.twophase.examples.jdbc.CountTable;
import dev.twophase.examples.kafka.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * What a run is to do.
 *
 * @param input directory to read
 * @param work directory for this run alone: its data, checkpoints, temporary files and log
 * @param records number of lines in the input
 * @param topics through which it goes from Kafka to Kafka; empty if it writes files
 * @param table to which it writes the same as to Kafka; empty if it writes files
 * @param parallelism of the sink until it is rescaled to one more
 * @param faults number of faults
 * @param secondsPerFault how long the source takes for each fault's stretch of the input
 * @param patienceSeconds how long a fault may take to strike and the job to recover
 */
public record RunSpec(
    Path input,
    Path work,
    long records,
    Optional<Topics> topics,
    Optional<CountTable> table,
    SinkApi sinkApi,
    DeliveryGuarantee guarantee,
    Sabotage sabotage,
    int parallelism,
    int faults,
    double secondsPerFault,
    double patienceSeconds) {

  /** The same from Kafka to Kafka. */
  public RunSpec through(Topics ends) {
    return with(Optional.of(ends), table);
  }

  /** The same, and to a table too. */
  public RunSpec writingTo(CountTable counts) {
    return with(topics, Optional.of(counts));
  }

  private RunSpec with(Optional<Topics> ends, Optional<CountTable> counts) {
    return new RunSpec(
        input,
        work,
        records,
        ends,
        counts,
        sinkApi,
        guarantee,
        sabotage,
        parallelism,
        faults,
        secondsPerFault,
        patienceSeconds);
  }

  /** Whether it must not lose or duplicate anything. */
  public boolean tested() {
    return guarantee == DeliveryGuarantee.EXACTLY_ONCE;
  }

  /** What people call it. */
  public String name() {
    String guaranteed = tested() ? "exactly-once" : "at-least-once";
    return topics.isPresent() ? "Kafka " + guaranteed : guaranteed;
  }

  /** Where the sink's files go, or what was read from its topic. */
  public Path data() {
    return work.resolve("data");
  }

  /** What was read from its table. */
  public Path tableData() {
    return work.resolve("table");
  }

  /** Checkpoints and savepoints; kept when the job ends. */
  public Path checkpoints() {
    return work.resolve("checkpoints");
  }

  /** What the cluster logs. */
  public Path log() {
    return work.resolve("flink.log");
  }

  /** What its process writes to its error output. */
  public Path errors() {
    return work.resolve("errors.log");
  }

  /** The faults in order, with the rescaling in the middle. */
  public List<FaultKind> plan() {
    List<FaultKind> plan = FaultKind.first(faults);
    plan.add((faults + 1) / 2, FaultKind.RESCALE);
    return plan;
  }

  /** One stretch of the input for each step of the plan, and one to end with. */
  public Stretches stretches() {
    return new Stretches(records, faults + 2);
  }

  double recordsPerSecond() {
    return records / (secondsPerFault * stretches().count());
  }

  /** The command line from which {@link #parse} makes an equal one. */
  public List<String> toArguments() {
    List<String> arguments =
        new ArrayList<>(List.of(input.toString(), work.toString(), Long.toString(records)));
    arguments.addAll(topics.map(Topics::toArguments).orElse(List.of("", "", "")));
    arguments.add(table.map(CountTable::url).orElse(""));
    arguments.add(table.map(CountTable::user).orElse(""));
    arguments.addAll(
        List.of(
            sinkApi.name(),
            guarantee.name(),
            sabotage.name(),
            Integer.toString(parallelism),
            Integer.toString(faults),
            Double.toString(secondsPerFault),
            Double.toString(patienceSeconds)));
    return arguments;
  }

  private static Optional<Topics> topics(
      String bootstrapServers, String clientProperties, String prefix) {
    return prefix.isEmpty()
        ? Optional.empty()
        : Optional.of(Topics.parse(bootstrapServers, clientProperties, prefix));
  }

  private static Optional<CountTable> table(String url, String user) {
    return url.isEmpty() ? Optional.empty() : Optional.of(new CountTable(url, user));
  }

  static RunSpec parse(String[] arguments) {
    List<String> left = new ArrayList<>(List.of(arguments));
    return new RunSpec(
        Path.of(left.remove(0)),
        Path.of(left.remove(0)),
        Long.parseLong(left.remove(0)),
        topics(left.remove(0), left.remove(0), left.remove(0)),
        table(left.remove(0), left.remove(0)),
        SinkApi.valueOf(left.remove(0)),
        DeliveryGuarantee.valueOf(left.remove(0)),
        Sabotage.valueOf(left.remove(0)),
        Integer.parseInt(left.remove(0)),
        Integer.parseInt(left.remove(0)),
        Double.parseDouble(left.remove(0)),
        Double.parseDouble(left.remove(0)));
  }
}
