package dev.twophase.kafka.internal.commit;

import dev.twophase.CommitOutcome;
import dev.twophase.ConnectorContext;
import dev.twophase.TransactionId;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.Coordinators.Look;
import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.EndTransactions.Answer;
import dev.twophase.kafka.internal.client.EndTransactions.Ending;
import dev.twophase.kafka.internal.client.EndTransactions.Reply;
import dev.twophase.kafka.internal.client.KafkaSettings;
import dev.twophase.kafka.internal.commit.KafkaHandle.Facts;
import dev.twophase.kafka.internal.commit.KafkaHandle.LiveCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Commits prepared transactions in their order: through their live producers where this process has
 * them, else by looking at the states of all of them, ending those that are open, one behind the
 * other for each subtask, and looking again. No outcome is read off an error code (C6): a refusal
 * only leads to another look at the coordinator's state, and where that is silent, at the witness.
 *
 * <p>Not thread-safe.
 */
public final class Commits {

  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  /** One call tries this long; then the caller pauses and calls again. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Supplier<Coordinators> coordinators;
  private final Supplier<EndTransactions> endTransactions;
  private final Overtaking overtaking;
  private final Verdicts verdicts;

  /** Not settled yet, and this process has sent an EndTxn for it. */
  private final Set<KafkaHandle> asked = new HashSet<>();

  /** The clients are asked for when first needed. */
  public Commits(
      Supplier<Coordinators> coordinators,
      Supplier<EndTransactions> endTransactions,
      KafkaSettings<?> settings,
      ConnectorContext context) {
    this.coordinators = coordinators;
    this.endTransactions = endTransactions;
    this.overtaking = new Overtaking(coordinators, context, settings.refusesRewinds());
    this.verdicts =
        new Verdicts(
            coordinators,
            new WitnessReader(settings.clients(), settings.properties()),
            settings.rewindDetection());
  }

  /**
   * Commits them, those of each subtask in this order. Nothing is committed behind one of its
   * subtask that is lost or superseded.
   *
   * @return the outcomes of the first ones, at least one
   * @throws CommitRefusedException if the outcome of one cannot be established by waiting
   * @throws org.apache.kafka.common.KafkaException if that of the first is unknown so far
   */
  public List<CommitOutcome> commit(List<KafkaHandle> handles)
      throws CommitRefusedException, InterruptedException {
    List<CommitOutcome> live = commitLive(handles);
    return live.isEmpty() ? settle(upToNextLive(handles)) : live;
  }

  private List<CommitOutcome> commitLive(List<KafkaHandle> handles) throws InterruptedException {
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (KafkaHandle handle : handles) {
      Facts facts = handle.facts();
      LiveCommit live = handle.live();
      try {
        if (live == null
            || !live.holds(facts)
            || overtaking.hasOvertaken(facts)
            || !live.commit(facts)) {
          break;
        }
      } catch (KafkaException unreachable) {
        if (outcomes.isEmpty()) {
          throw unknown(facts, unreachable);
        }
        break;
      }
      outcomes.add(CommitOutcome.committed());
    }
    return outcomes;
  }

  private static List<KafkaHandle> upToNextLive(List<KafkaHandle> handles) {
    int end = 1;
    while (end < handles.size()) {
      LiveCommit live = handles.get(end).live();
      if (live != null && live.holds(handles.get(end).facts())) {
        break;
      }
      end++;
    }
    return handles.subList(0, end);
  }

  private List<CommitOutcome> settle(List<KafkaHandle> handles)
      throws CommitRefusedException, InterruptedException {
    Map<KafkaHandle, CommitOutcome> known = new HashMap<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      int before = known.size();
      KafkaException problem;
      boolean goOn = true;
      try {
        problem = advance(handles, known, deadline);
      } catch (KafkaException unreachable) {
        problem = unreachable;
        goOn = false;
      }
      List<CommitOutcome> first = inOrder(handles, known);
      if (first.size() == handles.size() || endsBadly(first)) {
        return first;
      }
      if (!goOn || System.nanoTime() >= deadline) {
        if (first.isEmpty()) {
          throw unknown(handles.get(0).facts(), problem);
        }
        return first;
      }
      if (known.size() > before) {
        pause = FIRST_PAUSE_MILLIS;
      } else {
        Thread.sleep(pause);
        pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
      }
    }
  }

  private static KafkaException unknown(Facts first, @Nullable KafkaException problem) {
    return new KafkaException(
        "Outcome of "
            + first.transactionalId()
            + " is unknown, and read_committed consumers of "
            + Verdicts.partitions(first)
            + " wait for it: "
            + (problem == null ? "no answer within " + PATIENCE : problem.getMessage()),
        problem);
  }

  /** Outcomes from the first on, up to one that is not known, or behind which nothing may go. */
  private static List<CommitOutcome> inOrder(
      List<KafkaHandle> handles, Map<KafkaHandle, CommitOutcome> known) {
    List<CommitOutcome> first = new ArrayList<>();
    for (KafkaHandle handle : handles) {
      CommitOutcome outcome = known.get(handle);
      if (outcome == null || endsBadly(first)) {
        break;
      }
      first.add(outcome);
    }
    return first;
  }

  private static boolean endsBadly(List<CommitOutcome> outcomes) {
    return !outcomes.isEmpty() && isBad(outcomes.get(outcomes.size() - 1));
  }

  private static boolean isBad(CommitOutcome outcome) {
    return outcome instanceof CommitOutcome.Lost || outcome instanceof CommitOutcome.Superseded;
  }

  /**
   * Looks once, and settles as many as that look allows. What stands in the way of one subtask's
   * transactions stops only those behind it of the same subtask: it may be waiting for another's.
   *
   * @return what is in the way of the first that is not settled, if that is known
   */
  private @Nullable KafkaException advance(
      List<KafkaHandle> handles, Map<KafkaHandle, CommitOutcome> known, long deadline)
      throws CommitRefusedException, InterruptedException {
    List<Facts> facts = handles.stream().map(KafkaHandle::facts).toList();
    Overtaking.Answer overtaken =
        handles.get(0).live() == null ? overtaking.askOfRestored(facts) : overtaking.ask(facts);
    Look look = coordinators.get().look(transactionalIds(handles));
    Pass pass = new Pass(known, overtaken);
    for (KafkaHandle handle : handles) {
      if (!pass.blocked.contains(subtask(handle))) {
        pass.consider(handle, look);
      }
    }
    pass.end(deadline);
    pass.prove(look);
    return pass.problem;
  }

  private static List<String> transactionalIds(List<KafkaHandle> handles) {
    return handles.stream().map(handle -> handle.facts().transactionalId()).toList();
  }

  /** The part of the id that says whose it is. */
  private static String subtask(KafkaHandle handle) {
    String id = handle.facts().transactionalId();
    return id.substring(0, id.indexOf('/', id.indexOf('/') + 1));
  }

  /** What one look leads to. */
  private final class Pass {
    private final Map<KafkaHandle, CommitOutcome> known;

    /** Subtasks of which this pass settles nothing more. */
    private final Set<String> blocked = new HashSet<>();

    private final Overtaking.Answer overtaken;
    private final Map<Ending, KafkaHandle> open = new LinkedHashMap<>();

    /** Those of the open ones that are aborted, with what was committed in their place. */
    private final Map<KafkaHandle, TransactionId> refused = new HashMap<>();

    private final Set<String> failed = new HashSet<>();
    private final List<KafkaHandle> unproven = new ArrayList<>();
    private @Nullable KafkaException problem;

    Pass(Map<KafkaHandle, CommitOutcome> known, Overtaking.Answer overtaken) {
      this.known = known;
      this.overtaken = overtaken;
    }

    void consider(KafkaHandle handle, Look look)
        throws CommitRefusedException, InterruptedException {
      CommitOutcome outcome = known.get(handle);
      if (outcome != null) {
        if (isBad(outcome)) {
          blocked.add(subtask(handle));
        }
        return;
      }
      TransactionDescription state = look.states().get(handle.facts().transactionalId());
      switch (CoordinatorView.of(handle.facts(), state)) {
        case OPEN -> open(handle, state, look);
        case ABORTING -> block(handle, "its coordinator is aborting it");
        // The answer to EndTxn, too, comes as soon as the decision is in the coordinator's log.
        case COMMITTING, COMMITTED ->
            settled(
                handle,
                asked.contains(handle)
                    ? CommitOutcome.committed()
                    : CommitOutcome.alreadyCommitted());
        case ABORTED, SILENT -> {
          unproven.add(handle);
          blocked.add(subtask(handle));
        }
      }
    }

    private void open(KafkaHandle handle, @Nullable TransactionDescription state, Look look)
        throws CommitRefusedException, InterruptedException {
      if (handle.live() == null) {
        refuseAbandoned(handle);
      }
      Node node = state == null ? null : look.nodes().get(state.coordinatorId());
      if (node == null) {
        block(handle, "its coordinator is moving");
        return;
      }
      Optional<TransactionId> another = overtaken.of(handle.facts());
      another.ifPresent(committed -> refused.put(handle, committed));
      open.put(Commits.ending(handle, another.isEmpty(), node), handle);
      if (another.isPresent() || handle.facts().protocol() < 2) {
        // EndTxn would also end the id's next transaction: only a fresh look allows it.
        blocked.add(subtask(handle));
      }
    }

    /**
     * The writer would refuse this start, but is asked later. Not aborted either: whoever accepts
     * to go back there needs it.
     */
    private void refuseAbandoned(KafkaHandle handle)
        throws CommitRefusedException, InterruptedException {
      Optional<TransactionId> another = overtaken.leftBehindBy(handle.facts());
      if (another.isPresent()) {
        throw new CommitRefusedException(
            "Transaction "
                + handle.facts().transactionalId()
                + " is of a checkpoint that an accepted rewind has left behind: "
                + another.get()
                + " was committed in its place (R6). Nothing was committed or aborted. Restore the"
                + " latest checkpoint, or accept with RewindPolicy.ACCEPT that records are written"
                + " twice");
      }
    }

    private void block(KafkaHandle handle, String why) {
      blocked.add(subtask(handle));
      problem(new TimeoutException(why));
    }

    /** The first one is what is told. */
    void problem(KafkaException error) {
      if (problem == null) {
        problem = error;
      }
    }

    /** Ends what is open. */
    void end(long deadline) throws CommitRefusedException, InterruptedException {
      if (open.isEmpty()) {
        return;
      }
      Duration timeout = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
      Map<Ending, Reply> replies = endTransactions.get().end(open.keySet(), timeout);
      for (Map.Entry<Ending, KafkaHandle> each : open.entrySet()) {
        ended(
            each.getKey(),
            each.getValue(),
            replies.getOrDefault(each.getKey(), new Reply(Answer.UNKNOWN, "no reply")));
      }
    }

    private void ended(Ending each, KafkaHandle handle, Reply reply) throws CommitRefusedException {
      switch (reply.answer()) {
        case DONE -> settled(handle, outcome(handle));
        case UNAUTHORIZED -> throw unauthorized(each);
        case NOT_SENT -> failed.add(subtask(handle));
        default -> {
          asked.add(handle);
          failed.add(subtask(handle));
          problem(new TimeoutException("EndTxn was answered by: " + reply.detail()));
        }
      }
    }

    /** That is, once EndTxn has done what it was sent for. */
    private CommitOutcome outcome(KafkaHandle handle) {
      TransactionId another = refused.get(handle);
      return another == null
          ? CommitOutcome.committed()
          : Verdicts.superseded(another, "ours was aborted before it was committed as well");
    }

    /** Asks what the coordinators do not tell, unless something before it is not settled. */
    void prove(Look look) throws CommitRefusedException, InterruptedException {
      for (KafkaHandle handle : unproven) {
        if (!failed.contains(subtask(handle))) {
          TransactionDescription state = look.states().get(handle.facts().transactionalId());
          try {
            settled(
                handle,
                verdicts.of(handle.facts(), CoordinatorView.of(handle.facts(), state), state));
          } catch (KafkaException notYet) {
            problem(notYet);
          }
        }
      }
    }

    private void settled(KafkaHandle handle, CommitOutcome outcome) {
      LiveCommit live = handle.live();
      if (live != null) {
        live.settled();
      }
      asked.remove(handle);
      known.put(handle, outcome);
    }
  }

  private static Ending ending(KafkaHandle handle, boolean commit, Node coordinator) {
    Facts facts = handle.facts();
    return new Ending(
        subtask(handle),
        facts.transactionalId(),
        facts.producerId(),
        facts.epoch(),
        facts.protocol(),
        commit,
        coordinator);
  }

  private static CommitRefusedException unauthorized(Ending ending) {
    String id = ending.transactionalId();
    return new CommitRefusedException(
        "Transaction "
            + id
            + " cannot be committed: the user has no right to write under this transactional"
            + " id. Grant WRITE and DESCRIBE on transactional ids with the prefix '"
            + id.substring(0, id.indexOf('/') + 1)
            + "' and restart the job; nothing is lost until the transaction times out");
  }
}
