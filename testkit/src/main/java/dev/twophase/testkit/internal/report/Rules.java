package dev.twophase.testkit.internal.report;

import java.util.Map;

/** The protocol rules in one line each; {@code docs/protocol.md} has them in full. */
final class Rules {

  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("W1", "a record goes into exactly one transaction"),
          Map.entry("W2", "a prepared transaction can be committed with nothing but its handle"),
          Map.entry("W3", "a failed write surfaces at the latest in preCommit"),
          Map.entry("W4", "nothing is written to a prepared transaction"),
          Map.entry("W5", "an empty transaction yields no handle and no work"),
          Map.entry("W6", "transaction ids never collide"),
          Map.entry("C1", "nothing is committed before its checkpoint is complete"),
          Map.entry("C2", "commit is idempotent"),
          Map.entry("C3", "transactions of a subtask commit in checkpoint order"),
          Map.entry("C4", "completion of a checkpoint covers everything prepared up to it"),
          Map.entry("C5", "an aborted checkpoint discards nothing"),
          Map.entry("C6", "the outcome is established by evidence"),
          Map.entry("C7", "with an unknown outcome everything is kept"),
          Map.entry("C8", "retries back off, and end in failing the job"),
          Map.entry("C9", "proven loss follows the policy chosen"),
          Map.entry("C10", "a commit may run inside write, flush or preCommit"),
          Map.entry("A1", "abort is exact, idempotent, and harmless after commit"),
          Map.entry("R1", "everything restored is committed before an id is used again"),
          Map.entry("R2", "lingering transactions are aborted, and no others"),
          Map.entry("R3", "recovery holds for every change of parallelism"),
          Map.entry("R4", "recovery may crash at any point and run again"),
          Map.entry("R5", "a zombie publishes nothing and aborts nothing of its successor"),
          Map.entry("R6", "going back before something published has a defined result"),
          Map.entry("E1", "the last transaction of a bounded job is committed"),
          Map.entry("E2", "close neither commits nor aborts a prepared transaction"),
          Map.entry("E3", "a set-up that would lose data is refused at the start"),
          Map.entry("S1", "handles and state have an explicit, versioned binary form"),
          Map.entry("S2", "no secret enters state, a log line or a report"),
          Map.entry("S3", "pending transactions are capped"),
          Map.entry("S4", "an unreadable handle stops the job before any commit"),
          Map.entry("S5", "the states of the two adapters are not interchangeable"),
          Map.entry("V1", "order holds per subtask and key, atomicity per transaction"));

  private Rules() {}

  /** The text of a rule; empty if there is no such rule. */
  static String text(String rule) {
    return TEXTS.getOrDefault(rule, "");
  }

  static Map<String, String> all() {
    return TEXTS;
  }
}
