package dev.twophase.examples.run;

import dev.twophase.examples.faults.FaultKind;
import dev.twophase.examples.faults.FaultPlan;
import dev.twophase.examples.faults.FaultReport;
import java.util.Optional;

/** What a run tells the process that started it, one line each. */
public sealed interface RunMessage {

  /** Where it stands. */
  record Moment(FaultPlan.Progress progress) implements RunMessage {}

  /** A fault is over. */
  record Recovered(FaultReport report) implements RunMessage {}

  /** It ends without success, and why. */
  record Failed(String reason) implements RunMessage {}

  /** The line form. */
  static String format(RunMessage message) {
    if (message instanceof Moment moment) {
      FaultPlan.Progress at = moment.progress();
      return String.join(
          "\t",
          "moment",
          Long.toString(at.emitted()),
          Long.toString(at.checkpoint()),
          Integer.toString(at.recovered()),
          at.next().map(FaultKind::name).orElse(""),
          Boolean.toString(at.struck()));
    }
    if (message instanceof Recovered recovered) {
      FaultReport report = recovered.report();
      return String.join(
          "\t",
          "recovered",
          report.kind().name(),
          report.where(),
          Long.toString(report.checkpoint()),
          Long.toString(report.recoveredMillis()));
    }
    return "failed\t" + ((Failed) message).reason().replaceAll("\\s+", " ");
  }

  /** Reads the line form; empty if the line is something else. */
  static Optional<RunMessage> parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields[0].equals("moment") && fields.length == 6) {
      return Optional.of(
          new Moment(
              new FaultPlan.Progress(
                  Long.parseLong(fields[1]),
                  Long.parseLong(fields[2]),
                  Integer.parseInt(fields[3]),
                  fields[4].isEmpty()
                      ? Optional.empty()
                      : Optional.of(FaultKind.valueOf(fields[4])),
                  Boolean.parseBoolean(fields[5]))));
    }
    if (fields[0].equals("recovered") && fields.length == 5) {
      return Optional.of(
          new Recovered(
              new FaultReport(
                  FaultKind.valueOf(fields[1]),
                  fields[2],
                  Long.parseLong(fields[3]),
                  Long.parseLong(fields[4]))));
    }
    return fields[0].equals("failed") && fields.length == 2
        ? Optional.of(new Failed(fields[1]))
        : Optional.empty();
  }
}
