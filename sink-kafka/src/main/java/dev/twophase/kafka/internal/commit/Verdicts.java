package dev.twophase.kafka.internal.commit;

import dev.twophase.CommitOutcome;
import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Says what became of a transaction that is no longer open, and that its coordinator does not show
 * as committed: by the witness, and by the marks that other attempts have left.
 */
final class Verdicts {

  private final Supplier<Coordinators> coordinators;
  private final WitnessReader witnesses;
  private final boolean marked;

  /**
   * @param marked whether transactions leave {@link RewindMarks}
   */
  Verdicts(Supplier<Coordinators> coordinators, WitnessReader witnesses, boolean marked) {
    this.coordinators = coordinators;
    this.witnesses = witnesses;
    this.marked = marked;
  }

  /**
   * Establishes the outcome.
   *
   * @param view aborted or silent
   * @throws CommitRefusedException if nothing is left to prove it with
   * @throws org.apache.kafka.common.KafkaException if it is not known yet
   */
  CommitOutcome of(Facts facts, CoordinatorView view, @Nullable TransactionDescription state)
      throws CommitRefusedException, InterruptedException {
    return view == CoordinatorView.ABORTED ? aborted(facts, state) : byWitness(facts, state);
  }

  /** A loss is a grave claim: the log is asked as well, if it still can tell. */
  private CommitOutcome aborted(Facts facts, @Nullable TransactionDescription state)
      throws InterruptedException {
    String evidence = "its coordinator says " + describe(state);
    if (facts.witness().isPresent()) {
      Witness witness = facts.witness().get();
      switch (witnesses.ask(witness)) {
        case COMMITTED -> {
          return CommitOutcome.alreadyCommitted();
        }
        case ABORTED -> evidence += ", and a read_committed consumer passes over its " + witness;
        case UNDECIDED ->
            throw new TimeoutException(
                "the coordinator has aborted it, but its " + witness + " is not decided yet");
        case GONE -> evidence += "; its " + witness + " is no longer in the log";
      }
    }
    return lostOrSuperseded(facts, evidence);
  }

  private CommitOutcome byWitness(Facts facts, @Nullable TransactionDescription state)
      throws CommitRefusedException, InterruptedException {
    Witness witness =
        facts.witness().orElseThrow(() -> unprovable(facts, state, "it has no witness"));
    return switch (witnesses.ask(witness)) {
      case COMMITTED -> CommitOutcome.alreadyCommitted();
      case ABORTED ->
          lostOrSuperseded(
              facts,
              "a read_committed consumer passes over its "
                  + witness
                  + "; the coordinator says "
                  + describe(state));
      case UNDECIDED -> throw new TimeoutException("its " + witness + " is not decided yet");
      case GONE ->
          throw unprovable(
              facts, state, "its " + witness + " was removed by retention, compaction or deletion");
    };
  }

  /**
   * Aborted, and yet nothing is lost if another attempt has written the same records again and
   * committed them: then this one is a zombie, or the job runs twice.
   */
  private CommitOutcome lostOrSuperseded(Facts facts, String evidence) throws InterruptedException {
    Optional<ExternalId> id = ExternalId.parse(facts.transactionalId());
    Optional<TransactionId> another =
        id.isEmpty() || !marked
            ? Optional.empty()
            : RewindMarks.latest(coordinators.get(), id.stream().toList(), 0)
                .committedByAnother(id.get(), facts.place());
    return another.isEmpty() ? lost(facts, evidence) : superseded(another.get(), evidence);
  }

  /**
   * @param evidence what became of ours
   */
  static CommitOutcome superseded(TransactionId another, String evidence) {
    return CommitOutcome.superseded(
        "transaction "
            + another
            + " of another attempt, which began at or after the same checkpoint, is committed,"
            + " and "
            + evidence
            + ". One running job may use this transactionalIdPrefix");
  }

  private static CommitOutcome lost(Facts facts, String evidence) {
    return CommitOutcome.lost(
        evidence
            + ". Written to "
            + partitions(facts)
            + " under transactional id "
            + facts.transactionalId()
            + " (producer id "
            + facts.producerId()
            + ", epoch "
            + facts.epoch()
            + ")");
  }

  /** What it wrote to, for messages. */
  static String partitions(Facts facts) {
    List<String> topics = new ArrayList<>();
    facts
        .partitions()
        .forEach((topic, partitions) -> topics.add(topic + " partitions " + partitions));
    return String.join(", ", topics);
  }

  private static CommitRefusedException unprovable(
      Facts facts, @Nullable TransactionDescription state, String why) {
    return new CommitRefusedException(
        "The outcome of "
            + facts.transactionalId()
            + " (producer id "
            + facts.producerId()
            + ", epoch "
            + facts.epoch()
            + ", written to "
            + partitions(facts)
            + ") cannot be proven: the coordinator says "
            + describe(state)
            + ", and "
            + why
            + ". Look for its records in the topic; then restore from a newer checkpoint, or start"
            + " from this one without this sink's state. For compacted topics set a marker topic:"
            + " setMarkerTopic(\"...\")");
  }

  private static String describe(@Nullable TransactionDescription state) {
    return state == null
        ? "that it does not know the transactional id"
        : state.state()
            + " for producer id "
            + state.producerId()
            + ", epoch "
            + state.producerEpoch();
  }
}
