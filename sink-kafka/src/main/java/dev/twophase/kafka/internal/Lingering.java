package dev.twophase.kafka.internal;

import dev.twophase.Unfinished;
import dev.twophase.kafka.internal.client.Coordinators;
import dev.twophase.kafka.internal.client.EndTransactions;
import dev.twophase.kafka.internal.client.EndTransactions.Answer;
import dev.twophase.kafka.internal.client.EndTransactions.Ending;
import dev.twophase.kafka.internal.client.EndTransactions.Reply;
import dev.twophase.kafka.internal.commit.ExternalId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/** Finds a sink's ongoing transactions by their ids, and aborts exactly the one it is told to. */
final class Lingering {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 50;

  private final Coordinators coordinators;

  Lingering(Coordinators coordinators) {
    this.coordinators = coordinators;
  }

  /** What an {@link Unfinished} names: one transaction of one producer. */
  private record Exactly(int slot, long producerId, short epoch) {

    @Override
    public String toString() {
      return slot + ":" + producerId + ":" + epoch;
    }

    static Exactly parse(String token) {
      String[] parts = token.split(":", -1);
      if (parts.length != 3) {
        throw new IllegalArgumentException("'" + token + "' names no Kafka transaction");
      }
      return new Exactly(
          Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Short.parseShort(parts[2]));
    }
  }

  /** All that is ongoing under this sink's name, of whatever attempt. */
  List<Unfinished> list(String sinkName) throws InterruptedException {
    List<ExternalId> ids = new ArrayList<>();
    for (String text : coordinators.ids(ExternalId.pattern(sinkName), TransactionState.ONGOING)) {
      Optional<ExternalId> id = ExternalId.parse(text);
      if (id.isPresent() && id.get().sinkName().equals(sinkName)) {
        ids.add(id.get());
      }
    }
    Map<String, TransactionDescription> states =
        coordinators.describe(ids.stream().map(ExternalId::toString).toList());
    List<Unfinished> found = new ArrayList<>();
    for (ExternalId id : ids) {
      TransactionDescription state = states.get(id.toString());
      if (state != null && state.state() == TransactionState.ONGOING) {
        Exactly exactly = new Exactly(id.slot(), state.producerId(), (short) state.producerEpoch());
        found.add(new Unfinished(id.transactionId(), exactly.toString()));
      }
    }
    return found;
  }

  /** Aborts it if it is still ongoing under the same producer id and epoch. */
  void abort(Unfinished unfinished, EndTransactions endTransactions) throws InterruptedException {
    Exactly exactly = Exactly.parse(unfinished.token());
    String id =
        new ExternalId(
                unfinished.id().sinkName(),
                unfinished.id().subtask(),
                unfinished.id().nonce(),
                exactly.slot())
            .toString();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String problem = "no answer";
    while (System.nanoTime() < deadline) {
      TransactionDescription state = coordinators.describe(List.of(id)).get(id);
      if (state == null || !isOngoing(state, exactly)) {
        return;
      }
      Node coordinator = coordinators.nodes().get(state.coordinatorId());
      if (coordinator != null) {
        Reply reply = end(id, exactly, coordinator, endTransactions);
        if (reply.answer() == Answer.DONE) {
          return;
        }
        problem = reply.detail();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new TimeoutException("Could not abort " + id + " within " + PATIENCE + ": " + problem);
  }

  private Reply end(String id, Exactly exactly, Node coordinator, EndTransactions endTransactions)
      throws InterruptedException {
    Ending abort =
        new Ending(
            id,
            id,
            exactly.producerId(),
            exactly.epoch(),
            coordinators.protocol(),
            false,
            coordinator);
    Reply reply = Objects.requireNonNull(endTransactions.end(List.of(abort), PATIENCE).get(abort));
    if (reply.answer() == Answer.UNAUTHORIZED) {
      throw new TransactionalIdAuthorizationException(
          "Lingering transaction "
              + id
              + " cannot be aborted, and blocks readers until it times out: grant WRITE on it");
    }
    return reply;
  }

  private static boolean isOngoing(TransactionDescription state, Exactly exactly) {
    return state.state() == TransactionState.ONGOING
        && state.producerId() == exactly.producerId()
        && state.producerEpoch() == exactly.epoch();
  }
}
