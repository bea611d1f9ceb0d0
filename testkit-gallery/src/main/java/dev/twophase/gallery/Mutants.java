package dev.twophase.gallery;

import static dev.twophase.testkit.Verdict.CORRUPT;
import static dev.twophase.testkit.Verdict.DUPLICATE;
import static dev.twophase.testkit.Verdict.EARLY;
import static dev.twophase.testkit.Verdict.LEAK;
import static dev.twophase.testkit.Verdict.LOSS;
import static dev.twophase.testkit.Verdict.REORDER;
import static dev.twophase.testkit.Verdict.RESURRECTED;
import static dev.twophase.testkit.Verdict.TORN;
import static dev.twophase.testkit.Verdict.WEDGE;

import dev.twophase.gallery.connector.BrokenConnectors;
import dev.twophase.gallery.function.BrokenFunctions;
import dev.twophase.gallery.function.BrokenTwoPhaseFunctions;
import dev.twophase.gallery.function.TwoPhaseFunction;
import dev.twophase.gallery.sink.BrokenSinks;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.Verdict;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The sinks that must be refuted. */
public final class Mutants {

  private Mutants() {}

  /** All of them, by number. */
  public static List<Mutant> all() {
    return List.of(
        function(
            1,
            "commits in snapshotState",
            BrokenFunctions.CommitsInSnapshot::new,
            Set.of(DUPLICATE, EARLY),
            Set.of("C1")),
        twoPhase(
            2,
            "flushes and commits in close()",
            BrokenTwoPhaseFunctions.CommitsInClose::new,
            Set.of(DUPLICATE, EARLY),
            Set.of("E2")),
        twoPhase(
            3,
            "preCommit leaves records on the heap",
            BrokenTwoPhaseFunctions.KeepsRecordsOnTheHeap::new,
            Set.of(LOSS),
            Set.of("W2")),
        connector(
            4,
            "preCommit does not await asynchronous errors",
            CorrectSinks.PIPELINED,
            BrokenConnectors.DoesNotAwaitWrites::new,
            Set.of(LOSS),
            Set.of("W3")),
        function(
            5,
            "writes reach a prepared transaction",
            BrokenFunctions.WritesToPrepared::new,
            Set.of(LOSS, TORN, EARLY),
            Set.of("W4")),
        twoPhase(
            6,
            "handle serializer drops a field",
            BrokenTwoPhaseFunctions.DropsTokenFromState::new,
            Set.of(LOSS, CORRUPT, WEDGE),
            Set.of("W2", "S1")),
        twoPhase(
            7,
            "empty transaction is prepared; its commit is invalid",
            BrokenTwoPhaseFunctions.PreparesEmptyOnes::new,
            Set.of(WEDGE),
            Set.of("W5")),
        connector(
            8,
            "commit throws when already done",
            CorrectSinks.CONNECTOR,
            BrokenConnectors.FailsWhenCommitted::new,
            Set.of(WEDGE),
            Set.of("C2")),
        connector(
            9,
            "commit applies again when already done",
            CorrectSinks.LEDGER,
            BrokenConnectors.AppendsWithoutKey::new,
            Set.of(DUPLICATE),
            Set.of("C2")),
        sink(
            10,
            "commit errors are logged and swallowed",
            BrokenSinks.SwallowsCommitErrors::new,
            Set.of(LOSS),
            Set.of("C7")),
        function(
            11,
            "commits only the exact checkpoint id notified",
            BrokenFunctions.CommitsOnlyTheOneNotified::new,
            Set.of(LOSS, WEDGE),
            Set.of("C4")),
        function(
            12,
            "commits everything pending on any notification",
            BrokenFunctions.CommitsWhateverIsPending::new,
            Set.of(DUPLICATE, EARLY),
            Set.of("C1")),
        new Mutant(
            13,
            "goes on to the next transaction after a failed one",
            CorrectSinks.HARDENED_FUNCTION,
            TwoPhaseFunction::new,
            Set.of(REORDER),
            Set.of("C3"),
            2),
        connector(
            14,
            "a timed-out commit is redone in a new transaction",
            CorrectSinks.LEDGER,
            BrokenConnectors.RedoesUnderAnotherKey::new,
            Set.of(DUPLICATE),
            Set.of("C7")),
        function(
            15,
            "rolls back when a checkpoint is aborted",
            BrokenFunctions.RollsBackWhenAborted::new,
            Set.of(LOSS),
            Set.of("C5")),
        function(
            16,
            "aborts by prefix before committing what was restored",
            BrokenFunctions.AbortsBeforeItCommits::new,
            Set.of(LOSS),
            Set.of("R1")),
        connector(
            17,
            "aborts lingering ids of current subtasks only",
            CorrectSinks.CONNECTOR,
            BrokenConnectors.ListsOnlyPresentSubtasks::new,
            Set.of(LEAK),
            Set.of("R3")),
        function(
            18,
            "restores only the first element of its state",
            BrokenFunctions.RestoresOnlyTheFirst::new,
            Set.of(LOSS),
            Set.of("R3")),
        connector(
            19,
            "random ids, never recorded anywhere",
            CorrectSinks.CONNECTOR,
            BrokenConnectors.BeginsUnderRandomIds::new,
            Set.of(LEAK),
            Set.of("R2")),
        function(
            20,
            "ids without the subtask",
            BrokenFunctions.NamesWithoutSubtask::new,
            Set.of(LOSS, DUPLICATE),
            Set.of("W6")),
        sink(
            21,
            "no flush at end of input",
            BrokenSinks.DoesNotFlushAtEndOfInput::new,
            Set.of(LOSS),
            Set.of("E1")),
        sink(
            22,
            "commits at end of input although checkpointing is on",
            BrokenSinks.CommitsAtEndOfInput::new,
            Set.of(DUPLICATE, EARLY),
            Set.of("C1")),
        connector(
            23,
            "publishes record by record while committing",
            CorrectSinks.STAGED_LEDGER,
            BrokenConnectors.PublishesRowByRow::new,
            Set.of(TORN),
            Set.of("V1")),
        function(
            24,
            "no fencing: an old attempt commits what the new one has taken over",
            BrokenFunctions.TakesOverWithoutFencing::new,
            Set.of(RESURRECTED, DUPLICATE),
            Set.of("R5")),
        new Mutant(
            25,
            "aborts at restore whatever began after the restored checkpoint",
            CorrectSinks.REPORTING_RENAME_FUNCTION,
            BrokenFunctions.AbortsAtRestore::new,
            Set.of(LOSS),
            Set.of("R4", "R5"),
            2),
        new Mutant(
            26,
            "rolls back what a checkpoint reported as failed had prepared",
            CorrectSinks.RENAME_FUNCTION,
            BrokenFunctions.TakesOverWhatWasAborted::new,
            Set.of(LOSS),
            Set.of("C5"),
            2),
        connector(
            27,
            "takes for its own whatever begins with its name",
            CorrectSinks.CONNECTOR,
            BrokenConnectors.KnowsItsOwnByPrefix::new,
            Set.of(LOSS, WEDGE),
            Set.of("R2")));
  }

  /** The one of this number. */
  static Mutant numbered(int number) {
    return all().stream().filter(each -> each.number() == number).findFirst().orElseThrow();
  }

  /** Sinks that are as wrong as can be: they must be told apart. */
  public static List<Mutant> controls() {
    return List.of(
        connector(
            0,
            "black hole",
            CorrectSinks.CONNECTOR,
            BrokenConnectors.BlackHole::new,
            Set.of(LOSS),
            Set.of("W1")),
        connector(
            0,
            "commit always fails",
            CorrectSinks.CONNECTOR,
            BrokenConnectors.NeverCommits::new,
            Set.of(WEDGE),
            Set.of("C8")));
  }

  private static Mutant connector(
      int number,
      String bug,
      GallerySink twin,
      Function<SinkSetup, Object> factory,
      Set<Verdict> verdicts,
      Set<String> rules) {
    return new Mutant(number, bug, twin, factory, verdicts, rules, 1);
  }

  private static Mutant sink(
      int number,
      String bug,
      Function<SinkSetup, Object> factory,
      Set<Verdict> verdicts,
      Set<String> rules) {
    return new Mutant(number, bug, CorrectSinks.SINK_V2, factory, verdicts, rules, 1);
  }

  private static Mutant twoPhase(
      int number,
      String bug,
      Function<SinkSetup, Object> factory,
      Set<Verdict> verdicts,
      Set<String> rules) {
    return new Mutant(number, bug, CorrectSinks.TWO_PHASE_FUNCTION, factory, verdicts, rules, 1);
  }

  private static Mutant function(
      int number,
      String bug,
      Function<SinkSetup, Object> factory,
      Set<Verdict> verdicts,
      Set<String> rules) {
    return new Mutant(number, bug, CorrectSinks.RENAME_FUNCTION, factory, verdicts, rules, 1);
  }
}
